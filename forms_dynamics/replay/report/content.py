"""What a report says, as plain JSON; the page and the terminal write it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from forms_dynamics.replay.bootstrap import Resamples, Sample
from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.report.numbers import same
from forms_dynamics.replay.report.said import Said, read_messages
from forms_dynamics.replay.report.sentences import verdict
from forms_dynamics.replay.report.telling import telling
from forms_dynamics.replay.report.turns import changed_turns, told
from forms_dynamics.replay.report.words import Words
from forms_dynamics.replay.values import Candidate, Counts, Interval, Run, Tuning
from forms_dynamics.settings import Settings

FORMAT = 1  # of the JSON; another number means that keys changed their meaning
_NOTHING = Interval(None, None, None)

Json = dict[str, Any]


class _Played(NamedTuple):
    """A run and its figures under draws of conversations."""

    run: Run
    sample: Sample


def report_json(
    what: Run | Sequence[Run] | Tuning,
    *,
    messages: Iterable[Mapping[str, Any]] = (),
    today: Run | None = None,
    tuned: Run | None = None,
    compared: bool = False,
    objective: str = "f1",
    settings: Any = None,
    settings_file: str | None = None,
    lang: str | None = None,
) -> Json:
    """What a replay (one run, several, or two ``compared``) or a tuning found, as docs/replay-report.md lays out.

    ``today`` and ``tuned``: runs of a tuning over the whole log, with turns, from which the telling turns are
    taken. ``messages``: of the log, read once, for their words, users and language. ``settings``: those that
    the replay began with; ``settings_file``: the text of the file that was written for the winner.
    ``objective``: of runs; a tuning names its own. ``lang``: ``en`` or ``zh``; by default that of most messages.
    More than two runs
    that are ``compared`` are several. ValueError where no run is given, or one to be compared, or the language is
    another.
    """
    tuning = what if isinstance(what, Tuning) else None
    runs = _runs(what, today, tuned)
    if (tuning is None and not runs) or (compared and len(runs) != 2):
        raise ValueError(
            f"{'two runs are compared' if compared else 'a report needs a run'}: {len(runs)} given"
        )
    drawn = [] if tuning else _drawn(runs)
    before, after = _sides(runs, tuning, objective)
    sampled = {id(played.run): played for played in drawn}
    turns = telling(after.turns, before.turns if before else ()) if after else []
    wanted = {(t.after.conversation, t.after.message) for t in turns}
    said = read_messages(messages, wanted)
    words = Words(lang or said.language)
    base = Settings.read(settings).model_dump()
    main = after or before
    out: Json = {
        "format": FORMAT,
        "kind": "tuning" if tuning else "diff" if compared else "run" if len(runs) == 1 else "runs",
        "lang": words.lang,
        "sides": _side_names(tuning, runs, before, after, compared),
        "objective": tuning.objective if tuning else objective,
        "constraints": list(tuning.constraints) if tuning else [],
        "log": _log(said, main, tuning),
        "figures": _figures(tuning, sampled.get(id(before)), sampled.get(id(after))),
        "curves": _tuned_curves(tuning) if tuning else _run_curves(drawn, base, objective),
        "pareto": [_candidate(c, tuning) for c in tuning.tried] if tuning else [],
        "runs": [_run(played) for played in drawn],
        "telling": [told(t, said) for t in turns],
        "turns_kept": bool(main and main.turns),
        "notes": [words.note(note) for note in tuning.notes] if tuning else [],
    }
    out |= _changes(tuning, runs, base, settings_file)
    out["changed_turns"] = changed_turns(before, after)
    out["verdict"] = verdict(out, tuning, words)
    return out


# -- which runs ------------------------------------------------------------------------------------------------
def _runs(what: Run | Sequence[Run] | Tuning, today: Run | None, tuned: Run | None) -> list[Run]:
    if isinstance(what, Run):
        return [what]
    return [run for run in (today, tuned) if run] if isinstance(what, Tuning) else list(what)


def _sides(runs: Sequence[Run], tuning: Tuning | None, objective: str) -> tuple[Run | None, Run | None]:
    """The run that is compared with and the one that is looked at: of several, the first and the best, if that is
    another."""
    if len(runs) < 2:
        return None, runs[0] if runs else None
    if tuning or len(runs) == 2:
        return runs[0], runs[1]
    best = best_run(runs, objective)
    return (None if best is runs[0] else runs[0]), best


def _drawn(runs: Sequence[Run]) -> list[_Played]:
    """All runs under the same draws, so that what they differ in can be told from chance."""
    draws = Resamples({talk: talk for talk in runs[0].by_conversation})
    return [_Played(run, draws.sample(run.by_conversation)) for run in runs]


def best_run(runs: Sequence[Run], objective: str) -> Run:
    """The first of the best; one whose figure was not measured is never best."""
    of = FIGURES[objective]
    sign = 1 if of.better == "up" else -1

    def rank(run: Run) -> tuple[bool, float]:
        value = of.of(run.total())
        return (value is not None, sign * (value or 0.0))

    return max(runs, key=rank)


def _side_names(
    tuning: Tuning | None, runs: Sequence[Run], before: Run | None, after: Run | None, compared: bool
) -> list[str]:
    """Keys of the texts that name the columns."""
    if tuning:
        return ["today", "tuned" if tuning.winner else "candidate"]
    if before is None or after is None:
        return ["first" if len(runs) > 1 else "this_run"]
    if compared or len(runs) == 2:
        return ["first", "second"]
    return ["first", "best"]


# -- the log ---------------------------------------------------------------------------------------------------
def _log(said: Said, run: Run | None, tuning: Tuning | None) -> Json:
    total = run.total() if run else Counts()
    truth = tuning.truth if tuning else run.truth if run else "none"
    talks = len(run.by_conversation) if run else tuning.chosen_on + tuning.held_out if tuning else 0
    return {
        "turns": total.turns or said.turns,
        "user_turns": total.user_turns or said.user_turns,
        "conversations": talks,
        "users": said.users,
        "truth": truth,
        "recording": run.recording if run else None,
        "queued": total.queued,
        "chosen_on": tuning.chosen_on if tuning else None,
        "held_out": tuning.held_out if tuning else None,
        "turns_per_s": round(tuning.turns_per_s, 1) if tuning else None,
    }


# -- figures ---------------------------------------------------------------------------------------------------
def interval(given: Interval) -> Json:
    """An interval as JSON."""
    return {name: _short(value) for name, value in given._asdict().items()}


def _short(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _figures(tuning: Tuning | None, before: _Played | None, after: _Played | None) -> list[Json]:
    """Every figure, before and after, and their difference; ``before`` None where there is one run."""
    out = []
    for name, about in FIGURES.items():
        if tuning:
            old, new = tuning.today.get(name, _NOTHING), tuning.tuned.get(name, _NOTHING)
            gain = _gained(tuning, name, old, new)
        else:
            assert after is not None
            old = before.sample.interval(name) if before else _NOTHING
            new = after.sample.interval(name)
            gain = after.sample.less(before.sample, name) if before else _NOTHING
        out.append({
            "name": name,
            "better": about.better,
            "before": interval(old) if tuning or before else None,
            "after": interval(new),
            "difference": interval(gain) if tuning or before else None,
        })  # fmt: skip
    return out


def _gained(tuning: Tuning, name: str, old: Interval, new: Interval) -> Interval:
    """Of the objective as it was tested, conversation by conversation; of other figures the difference alone."""
    if old.value is None or new.value is None:
        return _NOTHING
    low, high = tuning.gain.low, tuning.gain.high
    if name != tuning.objective or low is None or high is None:
        return Interval(new.value - old.value, None, None)
    if FIGURES[name].better == "down":  # a gain is better above zero, whichever way the figure goes
        low, high = 0.0 - high, 0.0 - low
    return Interval(new.value - old.value, low, high)


# -- settings --------------------------------------------------------------------------------------------------
def _changes(tuning: Tuning | None, runs: Sequence[Run], base: Mapping[str, Any], file: str | None) -> Json:
    """What differs from today's settings, and the file that says so."""
    winner = dict(tuning.winner) if tuning else {}
    candidate = dict(tuning.candidate) if tuning else {}
    begin = dict(base) | {curve.setting: curve.today for curve in tuning.curves} if tuning else dict(base)

    def changes(chosen: Mapping[str, Any]) -> list[Json]:
        return [
            {"setting": name, "today": plain(begin.get(name)), "chosen": plain(value)}
            for name, value in chosen.items()
        ]

    if file is None:
        file = yaml.safe_dump(plain(winner), allow_unicode=True, sort_keys=False) if winner else ""
    return {
        "changes": changes(winner),
        "candidate": changes(candidate),
        "settings_file": file,
        "gain": interval(tuning.gain) if tuning else None,
    }


def plain(value: Any) -> Any:
    """A setting's value as JSON and YAML have it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value)


# -- curves ----------------------------------------------------------------------------------------------------
def _tuned_curves(tuning: Tuning) -> list[Json]:
    out = []
    for curve in tuning.curves:
        points = [
            {
                "value": plain(p.value),
                "figures": {name: interval(i) for name, i in p.figures.items()},
                "gain": interval(p.gain),
                "allowed": p.allowed,
            }
            for p in curve.points
        ]
        chosen = tuning.winner.get(curve.setting, curve.today)
        out.append(_curve(curve.setting, curve.today, chosen, points))
    return out


def _run_curves(runs: Sequence[_Played], base: Mapping[str, Any], objective: str) -> list[Json]:
    """A curve for each setting that varies while all others are as in the first run."""
    names = sorted({name for played in runs for name in played.run.settings})
    rows = [{name: played.run.settings.get(name, base.get(name)) for name in names} for played in runs]
    out = []
    for name in names:
        alone = [
            (row[name], played.sample)
            for row, played in zip(rows, runs, strict=True)
            if all(same(row[n], rows[0][n]) for n in names if n != name)
        ]
        if len({repr(value) for value, _ in alone}) < 2:
            continue
        points = [
            {
                "value": plain(value),
                "figures": {n: interval(sample.interval(n)) for n in FIGURES},
                "gain": interval(_better_by(sample.less(runs[0].sample, objective), objective)),
                "allowed": True,
            }
            for value, sample in alone
        ]
        out.append(_curve(name, rows[0][name], None, points))
    return out


def _better_by(difference: Interval, objective: str) -> Interval:
    """A difference as a gain: above zero is better."""
    if FIGURES[objective].better == "up" or difference.value is None:
        return difference
    low = None if difference.high is None else 0.0 - difference.high
    high = None if difference.low is None else 0.0 - difference.low
    return Interval(0.0 - difference.value, low, high)


def _curve(name: str, today: Any, chosen: Any, points: list[Json]) -> Json:
    """``scale``: numeric where every value is a number; else categories, numbers first and in order."""
    numeric = all(_number(p["value"]) for p in points)
    if any(_number(p["value"]) for p in points):  # None and words stand behind the numbers
        points = sorted(points, key=lambda p: (0, p["value"]) if _number(p["value"]) else (1, 0))
    return {
        "setting": name,
        "scale": "numeric" if numeric else "category",
        "today": plain(today),
        "chosen": plain(chosen),
        "points": points,
    }


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _candidate(found: Candidate, tuning: Tuning) -> Json:
    roles = [("today", {}), ("winner", tuning.winner), ("candidate", tuning.candidate)]
    held = dict(found.settings)
    role = next((name for name, settings in roles if held == dict(settings)), None)
    return {
        "settings": plain(held),
        "figures": {name: _short(value) for name, value in found.figures.items()},
        "allowed": found.allowed,
        "best": found.best,
        "role": role,
    }


def _run(played: _Played) -> Json:
    return {
        "settings": plain(dict(played.run.settings)),
        "figures": {name: _short(value) for name, value in played.sample.figures.items()},
        "counts": played.sample.counts._asdict(),
        "seconds": round(played.run.seconds, 3),
    }


__all__ = ["FORMAT", "interval", "plain", "report_json"]
