"""View data as lines of plain words, without drawn symbols, for plain mode and the `show` command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tracker.campaign.log import Entry
from tracker.campaign.session import SaveStatus, Session
from tracker.games.api.game import Game
from tracker.games.api.plain_text import belonging, clauses, explained, field, spoken, track
from tracker.games.api.schema import State
from tracker.games.api.view import (
    Action,
    Card,
    Die,
    DueItem,
    GmSide,
    Holding,
    Meter,
    Momentum,
    Odds,
    each,
    whole,
)
from tracker.text import shown_line

if TYPE_CHECKING:
    from tracker.campaign.journal import JournalLine

LONGEST = 2000
"""Maximum number of characters printed of a journal entry."""


def sentence(words: str) -> str:
    """Return the words with a period at the end, unless they end in `.`, `!`, `?` or `…`, also before a quote."""
    return words if words.endswith((".", "!", "?", "…", ".”", "!”", "?”")) else f"{words}."


def changes(entry: Entry) -> str:
    """Return the changes of an entry, separated by commas; "" if it changed nothing."""
    from tracker.campaign.journal import changed

    return spoken(clauses(*changed(entry)))


def done(one: JournalLine) -> str:
    """Return what a journal item did, such as "Face Danger: supply 5 to 4"; for a change by hand only the changes.

    If a move changed nothing, the answer of an oracle or "no change" follows its name.
    """
    said = one.phrases
    if not one.title:
        return spoken(clauses(*said))
    if not said and one.card and not one.card.tone:  # an answer, where a roll with an outcome has changed nothing
        said = [one.card.short or one.card.sum, one.card.told]
    return f"{one.name}: {spoken(clauses(*map(reword_due, said))) or 'no change'}"


def reword_due(phrase: str) -> str:
    """Return a phrase such as "due: Endure Harm" as "Endure Harm is due". Return any other phrase unchanged."""
    return f"{phrase.removeprefix('due: ')} is due" if phrase.startswith("due: ") else phrase


def odds(given: Odds) -> str:
    return ", ".join(f"{name} {whole(n)}%" for name, n, _ in given)


def other_side(side: GmSide) -> Iterator[str]:
    """Yield lines about the GM's side: the pool, whose turn it is, and one line for each adversary."""
    yield clauses(f"{side.pool.label} {side.pool.value} of {side.pool.high}", side.pool_note)
    yield side.turn
    for foe in side.foes:
        acted = "has acted" if foe.acts else ""
        yield clauses(foe.name, foe.kind, foe.note, foe.out, acted, *map(field, foe.meters), *map(spoken, foe.words))


def gm_side(game: Game, side: GmSide) -> Iterator[str]:
    """Yield lines about everything on the GM's side: pool, turn, adversaries, countdowns, party, and moves to type."""
    yield from other_side(side)
    yield from (track(one) for one in side.tracks)
    yield from (f"{one.name}: {spoken(one.words)}" for one in side.party)
    of_all = (side.pool_actions, side.turn_actions, side.foes_actions, side.tracks_actions, side.actions)
    done = [action for actions in (*of_all, *(foe.actions for foe in side.foes)) for action in actions]
    names = dict.fromkeys(game.moves[action.start.procedure].name for action in done)
    yield f"Type one of these: {', '.join(names)}"


def sheet(session: Session, who: str, gm: GmSide | None = None) -> Iterator[str]:
    """Yield the fields and belongings of the character `who`, one line each.

    A caller that prints the GM's side as well passes it as `gm`; the part of the sheet that repeats the GM's pool is
    then left out.
    """
    panes = session.game.sheet(session.state, who)
    if gm:
        panes = tuple(pane for pane in panes if all(getattr(this, "at", "") != gm.pool.at for this in pane.fields))
    yield from (words for pane in panes for this in each(pane.fields) if (words := field(this)))
    for holding in session.game.belongings(session.state, who):
        if holding.things and not holding.on_sheet:
            yield f"{holding.title}: {'; '.join(map(belonging, holding.things))}"


def holding(this: Holding) -> Iterator[str]:
    """Yield a heading, then each belonging of the group with its number and abilities; a sentence if there are none.

    The last lines are the actions of the group that are disabled, with the reasons.
    """
    yield f"{clauses(this.title, this.note)}:"
    if not this.things and this.empty:
        yield this.empty
    for thing in this.things:
        number = field(thing.number) if thing.number else ""
        if number.startswith(f"{thing.name} "):  # “spent 0” says the name too
            yield clauses(number, thing.kind, thing.note)
        else:
            yield clauses(thing.name, thing.kind, thing.note, number if number != thing.name else "")
        yield from (f"{'marked' if mark.on else 'not marked'}: {mark.text}" for mark in thing.marks if mark.text)
    yield from (action(one) for one in this.actions if one.reason)


def action(this: Action) -> str:
    """Return an action with its odds, or with the reason why it is not available."""
    if this.reason:
        return spoken(clauses(this.label, f"not now: {this.reason}"))
    return spoken(explained(this.label, this.note, odds(this.odds)))


def due(this: DueItem, name: str = "") -> str:
    return f"Due{f' for {name}' if name else ''}: {spoken(clauses(this.label, this.note))}"


def due_items(items: Iterable[DueItem]) -> Iterator[str]:
    """Yield a line for each due item; items that read alike share one, which says how many they are."""
    told = [due(item) for item in items]
    for line in dict.fromkeys(told):
        yield f"{line}, {told.count(line)} times" if told.count(line) > 1 else line


def card(this: Card, heard: str = "") -> Iterator[str]:
    """Yield the lines of a roll: title, dice, outcome, sum and reason.

    The title is left out if it is the same as `heard`, a line that was printed before.
    """
    if this.title != heard:
        yield this.title
    if this.dice:
        yield f"Dice: {', '.join(_die(die, this) for die in this.dice)}"
    yield from (spoken(words) for words in (this.outcome, this.sum, *this.reasons) if words)


def _die(die: Die, of: Card) -> str:
    word = "" if len(of.dice) == 1 and of.sum.startswith(f"{die.word}:") else die.word  # the sum says it again
    return " ".join(filter(None, (die.group, str(die.face), word)))


def journal(session: Session, most: int) -> list[str]:
    """Return the newest `most` journal items as lines, newest last. The player's own text is not reworded.

    There are fewer if older ones have to be read from the file and cannot be.
    """
    from tracker.campaign.journal import lines

    newest = islice(lines(session, session.history), most)
    return [journal_line(one) for one in newest][::-1]


def journal_line(one: JournalLine) -> str:
    """Return a journal item as one line; the player's own text is not reworded."""
    return clauses(shown_line(_item(one), LONGEST), one.remark)


def notes(state: State, wanted: str = "") -> Iterator[str]:
    """Yield one numbered line for each world note that contains the text `wanted`, in any case; "" is in all notes.

    If there is none, yield one line that says so.
    """
    from tracker.games.common.notes import listed

    found = False
    for number, ident in enumerate(listed(state), 1):
        note = state["notes"][ident]
        if wanted.casefold() in f"{note['name']} {note['text']}".casefold():
            found = True
            about = shown_line(note["text"], 100)
            yield f"{number}. {shown_line(note['name'])}, {note['kind']}{f': {about}' if about else ''}"
    if not found:
        yield f"No note has “{shown_line(wanted)}”." if wanted else "No notes yet. Type note and a name to make one."


def note(session: Session, ident: str, most: int) -> Iterator[str]:
    """Yield the lines of a world note: name, kind, former names, paragraph, and journal items that mention it.

    There must be a note with the id `ident`. Only the newest `most` items are shown; if the journal cannot be read, a
    sentence says so instead.
    """
    from tracker.campaign.mentions import lines_about

    one = session.state["notes"][ident]
    former = ", ".join(shown_line(old["name"]) for old in one["former"].values())
    yield clauses(shown_line(one["name"]), one["kind"], former and f"formerly {former}")
    if one["text"].strip():
        yield shown_line(one["text"], LONGEST)
    try:
        about = [item for some in lines_about(session, ident) for item in some]
    except OSError as error:
        yield f"Can't read older entries right now: {error.strerror or error}."
        return
    yield f"In the journal, newest first ({len(about)}):" if about else "The journal doesn't mention it yet."
    yield from map(journal_line, about[:most])


def _item(one: JournalLine) -> str:
    if one.heading or not one.text:
        return spoken(one.sentence())
    told = [*map(spoken, one._replace(text="").parts()), one.text]
    return " ".join(f"{f'{one.who}: ' if one.who else ''}{', '.join(told)}".split())


def moves(game: Game, first: int, only: str = "") -> Iterator[str]:
    """Yield a line for every move, in groups under their names, numbered from `first`.

    If `only` names a group, yield only its moves; their numbers stay the same.
    """
    group = ""
    for number, move in enumerate(game.moves.values(), first):
        if only and move.group != only:
            continue
        if move.group != group:
            group = move.group
            yield f"{group.capitalize()}:"
        yield f"{number}. {move.name}: {move.trigger}"


def table_groups(session: Session) -> dict[str, list[str]]:
    """Return {group: names of its oracle tables}; {} if there are no tables.

    Groups of packs come last; their names end with the title of the pack's source.
    """
    from tracker.games.api.content import from_pack, table_names

    oracles = session.content().oracles
    names = table_names(oracles)
    groups: dict[str, list[str]] = {}
    for ident in sorted(names, key=from_pack):
        place = ", ".join(filter(None, (oracles[ident].group, oracles[ident].source.title)))
        groups.setdefault(shown_line(place, 120), []).append(names[ident])
    return groups


def tables(session: Session) -> Iterator[str]:
    """Yield lines with the oracle tables by group, the suggested combinations, and problems in the player's files.

    Packs bring hundreds of tables, so only the names of their groups are listed.
    """
    from tracker.games.api.content import from_pack, table_names

    content = session.content()
    packed = {name for ident, name in table_names(content.oracles).items() if from_pack(ident)}
    groups = table_groups(session)
    for group, names in groups.items():
        if names[0] in packed:
            yield f"{group}: {len(names)} {'table' if len(names) == 1 else 'tables'}"
        else:
            yield f"{group}: {'; '.join(names)}"
    if packed:
        yield "Type tables and a group to list the tables of packs in it."
    for ids in session.game.oracles().together:
        if all(ident in content.oracles for ident in ids):
            yield f"Combined: {' + '.join(shown_line(content.oracles[ident].name) for ident in ids)}"
    yield from content.problems
    yield "Type a table's name to roll it; separate several with commas." if groups else "No tables yet."


def examples(session: Session, who: str) -> Iterator[str]:
    """Yield help lines about changing numbers, with labels from the sheet of `who`, a character's id or "".

    Without a character there are no lines.
    """
    fields = [this for pane in session.game.sheet(session.state, who) for this in each(pane.fields)] if who else []
    meters = [this.label for this in fields if isinstance(this, Meter)]
    if meters:
        yield f"{meters[0]} -1, {meters[-1]} +1: change a number on the sheet, or a track by its name"
        yield f"{meters[0]} 3: set a number"
    yield from (f"set {this.label} -2: set it below 0" for this in fields if isinstance(this, Momentum))


def sign(this: SaveStatus) -> str:
    """Return the save status as a sentence, with the reason unless it is "Saved."."""
    return "Saved." if this.word == "saved" else sentence(f"{this.word}: {this.why}")
