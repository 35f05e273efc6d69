"""Every setting, once, in one model."""

from __future__ import annotations

from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, field_validator


class Settings(BaseModel):
    """Settings of one Memory; a mapping with these names is accepted everywhere a Settings is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # gate
    conf_threshold: float = Field(0.8, ge=0, le=1, description="a value passes at this confidence or above")
    hedge_cap: float = Field(0.5, ge=0, le=1, description="the most that a hedged value can score")
    strict_corrections: bool = Field(False, description="only explicit corrections replace a known value")
    redact: Literal["off", "model", "at_rest"] = "model"
    # language
    timezone: str | None = Field(None, description="IANA zone for naive times; None makes them an error")
    date_order: Literal["DMY", "MDY", "YMD"] | None = Field(None, description="reading of 03/04; None asks")
    # recall
    max_anchors: int = Field(5, ge=1, le=50)
    max_edges_per_layer: int = Field(5, ge=0, le=100)
    walk_cut: float = Field(0.6, ge=0, le=1)
    max_tokens: int = Field(3000, ge=0)
    fallback_below_anchors: int = Field(1, ge=0)
    fallback_floor: float = Field(
        0.5, ge=0, le=1, description="cosine below which a vector hit is a near miss"
    )
    fallback_share: float = Field(
        0.5, ge=0, le=1, description="the most of the budget that fallback may take"
    )
    # store
    synchronous: Literal["normal", "full"] = "normal"

    @property
    def zone(self) -> ZoneInfo | None:
        """``timezone`` as a zone; None where none is set."""
        return None if self.timezone is None else ZoneInfo(self.timezone)

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                ZoneInfo(name)
            except (KeyError, ValueError, OSError) as unknown:
                raise ValueError(f"{name!r} is no IANA time zone, such as Asia/Shanghai") from unknown
        return name
