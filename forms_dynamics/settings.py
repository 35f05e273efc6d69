"""Every setting, once, in one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.value import DAY


class Settings(BaseModel):
    """Settings of one Memory; a mapping with these names is accepted everywhere a Settings is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # gate
    conf_threshold: float = Field(0.8, ge=0, le=1, description="a value passes at this confidence or above")
    hedge_cap: float = Field(0.5, ge=0, le=1, description="the most that a hedged value can score")
    pending_days: float | None = Field(
        90,
        gt=0,
        description="days after which a question that nobody answered is no longer asked; None: never",
    )
    strict_corrections: bool = Field(False, description="only explicit corrections replace a known value")
    redact: Literal["off", "model", "at_rest"] = "model"
    back_check: Literal["off", "rules", "model"] = Field(
        "rules",
        description="who compares what was read with the message: nobody, rules, or rules and the model",
    )
    # model
    model: str | None = Field(None, description="name of the model asked for what recognisers cannot settle")
    base_url: str | None = Field(None, description="of an endpoint that speaks the OpenAI protocol")
    api_key: SecretStr | None = Field(None, description="for the endpoint; never shown or stored")
    model_mode: Literal["auto", "tools", "json_schema", "json"] = Field(
        "auto", description="how the model is made to answer in JSON; auto finds out what the endpoint can do"
    )
    model_timeout: float = Field(30.0, gt=0, description="seconds that one call may take")
    model_retries: int = Field(2, ge=0, le=10, description="calls after the first, for one question")
    model_concurrency: int = Field(16, ge=1, le=256, description="calls under way at once")
    model_max_tokens: int = Field(800, ge=16, description="the most that a reply may hold")
    cost_cap: int | None = Field(
        None, ge=0, description="tokens that a user's memory may cost in a day (UTC); beyond it messages wait"
    )
    reply_days: int = Field(
        30, ge=0, description="days for which a model's reply serves the same question again; 0 keeps none"
    )
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
    provenance: Literal["off", "unsure", "always"] = Field(
        "unsure",
        description="lines of a context that end with the day on which they were said: those of faded facts",
    )
    question_by_model: bool = Field(
        False, description="whether the memory's model reads a question that the rules do not understand"
    )
    rerank: bool = Field(
        True, description="whether the memory's model, where there is one, scores what the fallback finds"
    )
    rerank_cut: float = Field(
        7, ge=0, le=10, description="score of ten; what the model does not score above it is a near miss"
    )
    rerank_hits: int = Field(
        20, ge=1, le=50, description="hits of the fallback that the model scores at most"
    )
    # store
    archive_after_days: float | None = Field(
        None,
        gt=0,
        description="days after which a message is found only when cold ones are asked for, too; None: never",
    )
    synchronous: Literal["normal", "full"] = "normal"

    @classmethod
    def read(cls, given: Any) -> Settings:
        """Settings from None, a Settings or a mapping; InvalidInput names each wrong entry."""
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            raise InvalidInput(f"settings are a Settings or a mapping, not {type(given).__name__}")
        try:
            return cls(**given)
        except ValidationError as wrong:
            lines = [f"settings.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in wrong.errors()]
            names = ", ".join(cls.model_fields)
            raise InvalidInput("; ".join(lines) + f" (settings are {names})") from None

    def asked_since(self, now: int) -> int:
        """The moment (microseconds) before which a question that was asked has expired by ``now``."""
        return 0 if self.pending_days is None else now - int(self.pending_days * DAY)

    @property
    def zone(self) -> ZoneInfo | None:
        """``timezone`` as a zone; None where none is set."""
        return None if self.timezone is None else ZoneInfo(self.timezone)

    @field_validator("model")
    @classmethod
    def _name_of_a_model(cls, name: str | None) -> str | None:
        if name is not None and (not name.strip() or not name.isprintable()):
            raise ValueError(
                f"{name!r} is no name of a model: give one such as gpt-4o-mini, or None for no model"
            )
        return name

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str | None) -> str | None:
        if url is not None:
            try:
                parts = urlsplit(url)
                sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
            except ValueError:
                sound = False
            if not sound or not url.isprintable() or " " in url:  # not repeated: a password may be in it
                raise ValueError("is no address of a server, such as http://localhost:8000/v1")
        return url

    @field_validator("api_key")
    @classmethod
    def _key_for_a_header(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not all(" " < ch <= "~" for ch in key.get_secret_value()):
            raise ValueError(
                "holds a space, a line break or a character that is not ASCII: no such key can be sent"
            )
        return key

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                ZoneInfo(name)
            except (KeyError, ValueError, OSError) as unknown:
                raise ValueError(f"{name!r} is no IANA time zone, such as Asia/Shanghai") from unknown
        return name
