"""The rules that every game keeps, one check each. A check raises for a game that breaks its rule.

`docs/adding-a-game.md` says how a new game gets here: it is registered, and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import isclose
from typing import Any, NamedTuple

from tracker.campaign.fold import apply, fold, locate, start
from tracker.campaign.maintenance import idle
from tracker.campaign.run import Run
from tracker.campaign.state import thaw
from tracker.content import shipped
from tracker.games.api.content import Content, PackInfo
from tracker.games.api.draft import Draft
from tracker.games.api.errors import Refused
from tracker.games.api.finished_moves import HEADINGS, PastMove
from tracker.games.api.game import Game, Move
from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text
from tracker.games.api.schema import Choice, Line, Record, State
from tracker.games.api.schema import Collection as Records
from tracker.games.api.view import Action, Card, Flags, Odds, Ratings, Stat, chance, each
from tracker.saves import toml
from tracker.saves.entries import effect_problem

WAYS = 6
"""Ways through each move that are tried."""
MOST_PROMPTS = 80
"""More prompts than any move has; one that asks for more never ends."""
ODD: tuple[Any, ...] = (True, -1, 10**12, "", "odd\x1b", [], ["odd"], {}, {"odd": 1})
"""Values that a hand edit can leave anywhere in the facts of an entry."""


def _content(game: Game) -> Content:
    """Return the shipped content on a computer with a pack, so that a campaign can take it."""
    return shipped(game.id)._replace(installed=lambda: (PackInfo("fen", "0.2.0", "00", "The Fen"),))


class Played(NamedTuple):
    """A move played from its first prompt to its end."""

    move: Move
    who: str
    before: State
    prompts: tuple[Prompt, ...]
    answers: tuple[tuple[str, Answer], ...]
    draft: Draft


# -- playing ----------------------------------------------------------------------------------------------


def answers_to(prompt: Prompt) -> Iterator[Answer]:
    """Yield a few answers that fit a prompt and lead to different places."""
    match prompt:
        case Pick(options=options):
            yield from (option.key for option in options if not option.reason)
        case Choose(options=options, least=least, most=most):
            free = [option.key for option in options if not option.reason]
            yield free[: max(least, min(1, most))]
            yield free[-least:] if least else []
        case Confirm():
            yield from (False, True)
        case Number(low=low, high=high, default=default):
            yield from dict.fromkeys((low if default is None else default, high))
        case Text():
            yield from ("Ash", "Birch", "2d6+3")
        case Spread(points=points, targets=targets):
            shares: dict[str, int] = {}
            for option, limit in targets:
                shares[option.key] = 0 if option.reason else min(limit, points - sum(shares.values()))
            yield shares
        case Roll(dice=dice):
            for face in (1, 4, 100):
                yield {
                    name: min(face, sides) if isinstance(sides, int) else [min(face, one) for one in sides]
                    for name, sides in dice.items()
                }


def fitting(prompt: Prompt) -> list[Answer]:
    """Return the answers among `answers_to` that the prompt accepts, its default first."""
    found: list[Answer] = [] if prompt.default is None else [prompt.default]
    for answer in answers_to(prompt):
        with suppress(Refused):
            value = prompt.check(answer)
            if value not in found:
                found.append(value)
    return found


def draft_of(game: Game, state: State, who: str) -> Draft:
    return Draft(state, who, lambda now, effect: apply(game.top, now, effect), lambda: _content(game), game.why_not)


def ways(game: Game, move: Move, who: str, state: State) -> Iterator[Played | Refused]:
    """Yield different ways through a move, each from begin to end or to its refusal."""
    who = "" if move.solo else who
    left: list[tuple[Answer, ...]] = [()]
    for n, first in enumerate(left):
        if n >= WAYS:
            return
        draft = draft_of(game, state, who)
        prompts: list[Prompt] = []
        given: list[tuple[str, Answer]] = []
        try:
            procedure = move.make(draft)
            prompt = next(procedure, None)
            while prompt is not None:
                twice = prompt.key in {one.key for one in prompts}
                assert not twice, f"{move.id} asks for “{prompt.key}” twice: a prompt's key is unique in a move"
                assert len(prompts) < MOST_PROMPTS, f"{move.id} never ends"
                if isinstance(prompt, (Pick, Choose)) and all(option.reason for option in prompt.options):
                    raise Refused(" ".join(f"{option.label}: {option.reason}." for option in prompt.options))
                possible = [first[len(given)]] if len(given) < len(first) else fitting(prompt)
                assert possible, f"{move.id}: nothing answers the prompt “{prompt.key}”"
                past = tuple(value for _, value in given)
                left += [(*past, other) for other in possible[1:]]
                prompts.append(prompt)
                given.append((prompt.key, possible[0]))
                try:
                    prompt = procedure.send(possible[0])
                except StopIteration:
                    prompt = None
        except Refused as refused:
            yield refused
        else:
            yield Played(move, who, state, tuple(prompts), tuple(given), draft)


def created(game: Game, state: State | None = None) -> Played:
    """Return the making of a character on this state, or on that of a new campaign."""
    making = game.moves[game.make_character.procedure]
    tried = ways(game, making, "", start(game.top) if state is None else state)
    found = next((way for way in tried if isinstance(way, Played)), None)
    assert found, f"{making.id} makes nobody"
    return found


def alive(game: Game, state: State) -> str:
    """Return the first of the party who is in play, or ""."""
    shown = {member.id for member in game.members(state)}
    return next((who for who, one in state["party"].items() if one["status"] == "alive" and who in shown), "")


def in_turn(game: Game, *, last: bool = False) -> Iterator[Played | tuple[Move, Refused]]:
    """Yield ways through every move in turn, each on the state that the first or the last way before has left.

    There are two characters, and two rounds: some moves need what a later one brings.
    """
    state = created(game, created(game).draft.state).draft.state
    for move in (*game.moves.values(), *game.moves.values()):
        after = state
        for way in ways(game, move, alive(game, state), state):
            if isinstance(way, Refused):
                yield move, way
                continue
            yield way
            if (last or after is state) and alive(game, way.draft.state):
                after = way.draft.state
        state = after


def evening(game: Game) -> Iterator[Played | tuple[Move, Refused]]:
    """Yield ways through every move in turn, then ways through the moves that were only refused.

    Those are looked for in all states to which any way has led, last ways included, which end otherwise.
    """
    reached: list[State] = []
    made: set[str] = set()
    for one in in_turn(game):
        yield one
        if isinstance(one, Played):
            made.add(one.move.id)
            reached.append(one.draft.state)
    refused = [move for move in game.moves.values() if move.id not in made]
    if refused:
        reached += [one.draft.state for one in in_turn(game, last=True) if isinstance(one, Played)]
    for move in refused:
        found = elsewhere(game, move, reached)
        reached += [one.draft.state for one in found]
        yield from found


def elsewhere(game: Game, move: Move, reached: Sequence[State]) -> list[Played]:
    """Return the ways through a move on the latest of these states on which it can be made, or none."""
    for state in reversed(reached):
        for who, one in state["party"].items():
            if one["status"] == "alive" and not game.why_not(state, who, move.id):
                found = [way for way in ways(game, move, who, state) if isinstance(way, Played)]
                if found:
                    return found
    return []


def only_refused(game: Game) -> set[str]:
    """Return the ids of the moves that no check has seen made."""
    return set(game.moves) - {one.move.id for one in played(game)}


def played(game: Game) -> Iterator[Played]:
    return (one for one in evening(game) if isinstance(one, Played))


def states(game: Game) -> Iterator[tuple[State, str]]:
    """Yield the state with one character and those after each move, with somebody who is in play."""
    first = created(game).draft.state
    yield first, alive(game, first)
    for one in played(game):
        if who := alive(game, one.draft.state):
            yield one.draft.state, who


# -- checks -----------------------------------------------------------------------------------------------


def check_identity(game: Game) -> None:
    assert re.fullmatch("[a-z]{1,40}", game.id), "a save names its game by small letters only"
    assert game.name.strip()
    assert game.rules >= 1


def check_layout(game: Game) -> None:
    fields = game.top.fields
    assert {"party", "scene", "session", "notes", "packs", "seats", "dice_are"} <= set(fields), (
        "every state has these fields"
    )
    party = fields["party"]
    assert isinstance(party, Records)
    assert isinstance(party.of.fields["name"], Line)
    status = party.of.fields["status"]
    assert isinstance(status, Choice)
    assert status.values[0] == "alive"
    assert {"retired", "gone"} <= set(status.values)


def check_moves(game: Game) -> None:
    for ident, move in game.moves.items():
        assert ident == move.id
        assert re.fullmatch("[a-z0-9_]+/[a-z0-9_]+", ident), f"{ident} is not written like group/name"
        assert move.name.strip(), f"{ident} has no name"
        assert move.trigger.strip(), f"{ident} has no trigger"
        assert move.group.strip(), f"{ident} is in no group"
    for name, many in Counter(move.name.casefold() for move in game.moves.values()).items():
        assert many == 1, f"{many} moves are called {name}"


def check_start(game: Game) -> None:
    state = start(game.top)
    assert game.members(state) == ()
    assert game.changes(state, state, "") == []
    assert game.lint(state) == (), "a new campaign breaks no rule"
    game.gm_side(state)
    tracks(game, state)
    actions(game, game.breaks(state))


def check_creation(game: Game) -> None:
    made = created(game).draft.state
    (walked,) = game.members(made)
    assert game.lint(made) == (), "a new character breaks no rule"
    answers = answers_for(game, made, walked.id)
    run = Run(game, game.moves[game.make_character.procedure], "", start(game.top))
    while run.prompt is not None:
        run.answer(answers.get(run.prompt.key, run.prompt.default))
    (member,) = game.members(run.draft.state)
    assert member.name == "Ash", "creation_answers() leads to a character of that name"
    assert game.lint(run.draft.state) == ()
    for bad in (("", {}), ("Ash", {"no such stat": 1})):
        with suppress(Refused):
            game.creation_answers(*bad)
            raise AssertionError(f"creation_answers{bad} is not refused")


def answers_for(game: Game, state: State, who: str) -> dict[str, Any]:
    """Return the creation answers without stats or, where those are needed, with the stats of this character."""
    with suppress(Refused):
        return game.creation_answers("Ash", {})
    stats = {
        field.at.rpartition(".")[2]: field.value
        for pane in game.sheet(state, who)
        for field in each(pane.fields)
        if isinstance(field, Stat) and isinstance(field.value, int)
    }
    return game.creation_answers("Ash", stats)


def check_procedures(game: Game) -> None:
    """Assert that every move ends or refuses with a sentence, and that its prompt keys are unique (see `ways`)."""
    done: set[str] = set()
    for one in evening(game):
        if isinstance(one, Played):
            done.add(one.move.id)
        else:
            move, refused = one
            assert str(refused).strip().endswith((".", "?", "!")), f"{move.id} is refused without a sentence: {refused}"
    assert done, "no move can be made with a new character"


def check_replay(game: Game) -> None:
    for one in played(game):
        again = Run(game, one.move, one.who, one.before, one.answers, content=lambda: _content(game))
        assert again.prompt is None, f"{one.move.id} asks for more when it is replayed"
        assert tuple(again.seen) == one.prompts, f"{one.move.id} asks something else when it is replayed"
        for what in ("effects", "facts", "text", "state"):
            same = getattr(again.draft, what) == getattr(one.draft, what)
            assert same, f"{one.move.id} has other {what} when it is replayed with the same answers"


def check_prompts(game: Game) -> None:
    for one in played(game):
        for prompt in one.prompts:
            where = f"{one.move.id}, {prompt.key}"
            assert re.fullmatch("[A-Za-z0-9_.-]+", prompt.key), f"{where}: not a key for a save"
            assert prompt.title.strip(), f"{where}: no title"
            if prompt.quiet:
                assert prompt.check(prompt.default) == prompt.default, f"{where}: nobody is asked, and it has no answer"
            if isinstance(prompt, (Pick, Choose)):
                once(f"{where}: option", (option.key for option in prompt.options))
                once(f"{where}: hotkey", (option.hot for option in prompt.options if option.hot))
                for option in prompt.options:
                    odds(where, option.odds)
            if isinstance(prompt, Roll):
                odds(where, prompt.odds)


def check_promised_odds(game: Game) -> None:
    """Assert that the odds beside an option and beside a suggested move are those of the roll that it leads to."""
    for one in played(game):
        chosen = [(n, prompt) for n, prompt in enumerate(one.prompts) if isinstance(prompt, Pick)]
        for n, prompt in chosen:
            option = next(option for option in prompt.options if option.key == one.answers[n][1])
            after = n + 1
            while after < len(one.prompts) and one.answers[after][1] == one.prompts[after].default:
                after += 1
            roll = one.prompts[after] if after < len(one.prompts) else None
            if option.odds and isinstance(roll, Roll):
                assert roll.odds == option.odds, f"{one.move.id}: {prompt.key} {option.key} shows odds of another roll"
    for state, who in states(game):
        for action in game.now(state, who):
            if action.odds and not action.reason:
                run = Run(game, game.moves[action.start.procedure], who, state, action.start.answers)
                while run.prompt and not isinstance(run.prompt, Roll):
                    with_odds = [one for one in getattr(run.prompt, "options", ()) if one.odds]
                    best = max(with_odds, key=lambda option: chance(option.odds), default=None)
                    run.answer(best.key if best else fitting(run.prompt)[0])
                assert isinstance(run.prompt, Roll)
                assert run.prompt.odds == action.odds, f"{action.label} shows odds of another roll"


def check_effects(game: Game) -> None:
    for one in played(game):
        state = one.before
        for effect in one.draft.effects:
            assert effect_problem(effect) is None, f"{one.move.id}: {effect} cannot be saved"
            assert not idle(game.top, state, effect), f"{one.move.id}: {effect} is idle"
            state = apply(game.top, state, effect)
        assert fold(game.top, one.before, one.draft.effects) == one.draft.state
        for value in one.draft.facts.values():
            toml.emit_value(thaw(value))


def check_changes(game: Game) -> None:
    for one in played(game):
        after = one.draft.state
        assert game.changes(after, after, one.who) == [], f"{one.move.id}: nothing changed, and changes are told"
        phrases = game.changes(one.before, after, one.who)
        assert all(isinstance(phrase, str) and phrase.strip() for phrase in phrases), f"{one.move.id}: {phrases}"


def check_cards(game: Game) -> None:
    for one in played(game):
        facts = one.draft.facts
        for key in ("", *facts):
            for odd in ODD if key else (None,):
                card = game.card(one.move.id, {**facts, key: odd} if key else facts)
                assert isinstance(card, Card)
                assert key or card.title.strip(), f"{one.move.id} has a card without a title"
                assert card.title != one.move.id, f"the card of {one.move.id} is titled by an id"
    for ident in ("", "no/such_move", *game.moves):
        assert isinstance(game.card(ident, {}), Card)


def check_sheet(game: Game) -> None:
    for state, who in states(game):
        panes = game.sheet(state, who)
        once("pane", (pane.id for pane in panes))
        for field in (field for pane in panes for field in each(pane.fields)):
            if isinstance(field, Flags):
                paths = [flag.at for flag in field.flags]
            elif isinstance(field, Ratings):
                paths = [stat.at for stat in (field.head, *field.stats)]
            else:
                paths = [field.at]
            for at in filter(None, paths):
                known(game, state, at)
        for holding in game.belongings(state, who):
            actions(game, holding.actions)
            once(f"{holding.id}: belonging", (thing.id for thing in holding.things))


def check_tracks(game: Game) -> None:
    assert game.new_track.procedure in game.moves, "new_track starts no move"
    assert game.no_tracks.strip()
    for state, who in states(game):
        for track in tracks(game, state):
            actions(game, game.track_moves(state, who, track))
            for word, chances in game.track_odds(state, track):
                odds(word, chances)


def check_actions(game: Game) -> None:
    for state, who in states(game):
        for some in (game.now(state, who), game.rolls(state, who), game.breaks(state), game.member_moves(state, who)):
            actions(game, some)
        for due in game.owed(state, who):
            assert due.label.strip()
            assert due.start is None or due.start.procedure in game.moves
        for move in game.moves:
            assert isinstance(game.why_not(state, who, move), str)
        game.fight(state, who)
        game.gm_side(state)
    oracles = game.oracles()
    actions(game, (*oracles.questions, *oracles.besides))
    assert not shipped(game.id).oracles or oracles.tables.procedure in game.moves, "no move rolls on the tables"


def check_past(game: Game) -> None:
    """Assert that what a game says about finished moves fits their dice, and that no hand edit makes it raise."""
    kinds = {kind.name: dict(kind.outcomes) for kind in game.roll_kinds}
    once("kind of roll", (kind.name for kind in game.roll_kinds))
    for one in played(game):
        answers = dict(one.answers)
        move = PastMove(one.move.id, one.who, answers, thaw(one.draft.facts), one.before, one.draft.state)
        rolled: Counter[tuple[int, int]] = Counter()
        for prompt in one.prompts:
            for name, sides in prompt.dice.items() if isinstance(prompt, Roll) else ():
                several = [sides] if isinstance(sides, int) else sides
                faces = answers[prompt.key][name]
                rolled.update(zip(several, faces if isinstance(faces, list) else [faces], strict=True))
        told = Counter((die.sides, die.face) for die in game.past_dice(move))
        assert told in (rolled, Counter()), f"{one.move.id} tells of other dice than were rolled"
        for roll in game.past_rolls(move):
            names = list(kinds[roll.kind])
            assert roll.outcome in names, f"{one.move.id}: {roll.kind} has no outcome {roll.outcome}"
            if roll.odds:
                assert len(roll.odds) == len(names), f"{one.move.id}: odds of {len(roll.odds)} outcomes"
                assert roll.odds[names.index(roll.fell)] > 0, f"{one.move.id}: {roll.fell} cannot be rolled"
        assert all(mark.heading in HEADINGS and mark.words.strip() for mark in game.landmarks(move))
        found = game.gauges(one.draft.state)
        once("gauge", (gauge.id for gauge in found))
        for gauge in found:
            assert gauge.label.strip(), f"{gauge.id} has no label"
            assert gauge.low <= gauge.value, f"{gauge.id} is below its lowest value"
        spoiled = [move._replace(answers={**answers, key: odd}) for key, odd in product(answers, ODD)]
        spoiled += [move._replace(facts={**move.facts, key: odd}) for key, odd in product(move.facts, ODD)]
        for edited in spoiled:
            game.past_rolls(edited), game.past_dice(edited), game.feats(edited), game.landmarks(edited)


# -- what several checks need -----------------------------------------------------------------------------


def once(what: str, values: Iterable[str]) -> None:
    twice = [value for value, many in Counter(values).items() if many > 1]
    assert not twice, f"{what} {twice} is there twice"


def odds(where: str, chances: Odds) -> None:
    total = sum(percent for _, percent, _ in chances)
    assert not chances or isclose(total, 100), f"{where}: the odds add up to {total}"


def known(game: Game, state: State, at: str) -> None:
    found = locate(game.top, state, at)
    assert found, f"{at} leads nowhere"
    assert found[1] is not None, f"the layout does not know {at}"
    assert not isinstance(found[1], Record), f"{at} is no value"
    assert game.label(at).strip(), f"{at} has no label"


def tracks(game: Game, state: State) -> Collection[str]:
    """Check the tracks of a state and return their ids."""
    found = game.tracks(state)
    once("track", (track.id for track in found))
    for track in found:
        assert track.name.strip()
        odds(track.id, track.odds)
        if track.at:
            known(game, state, track.at)
    return [track.id for track in found]


def actions(game: Game, some: Iterable[Action]) -> None:
    some = tuple(some)
    once("key", (action.key for action in some if action.key))
    for action in some:
        assert action.label.strip()
        assert action.start.procedure in game.moves, (
            f"“{action.label}” starts {action.start.procedure}, which is no move"
        )
        odds(action.label, action.odds)


CHECKS: Mapping[str, Callable[[Game], None]] = {
    name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")
}
"""Every check by name."""


def broken_rules(game: Game) -> dict[str, str]:
    """Return the name of each check that the game fails, with the reason."""
    found: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            check(game)
        except Exception as error:  # noqa: BLE001 whatever a game raises is a broken rule
            found[name] = f"{type(error).__name__}: {error}"
    return found
