"""The terminal's own English texts, part of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TERMINAL_WORDS: Final[Mapping[str, str]] = {
    "terminal.act.seat": "seat {seat}",
    "terminal.again": "{accepts}; u leaves it undone",
    "terminal.also": ", with the {needs}",
    "terminal.card": "Card, such as 9h > ",
    "terminal.card.down": "Enter: a card, face down > ",
    "terminal.choose.of": "choose {words}",
    "terminal.clauses.none": "No clause stands behind it.",
    "terminal.consent": "{act}; {asked}. y consents, n declines.",
    "terminal.help": "Enter: do what must be done, with its defaults\n"
    "a card, such as 9h: deal it\n"
    "o: other acts; a number chooses one, and so do its first words\n"
    "!: report an irregularity\n"
    "?: what the clauses say\n"
    "t: the table; r: the roads; l: the limits; i: the table at a glance\n"
    "y or n: consent to an act, or decline it\n"
    "w: at a table of a service, wait for what comes\n"
    "x: leave",
    "terminal.holder": "held by seat {seat}",
    "terminal.how": "How: {words}",
    "terminal.limits": "{title}: {limits}; pays {pays}",
    "terminal.limits.none": "no limits",
    "terminal.live": "live",
    "terminal.lost": "NOT LIVE",
    "terminal.moved.on": "What was sent did not arrive, and the table has moved on: nothing"
    " was done",
    "terminal.name.one": "{place}: name a table with --table; yours are: {yours}",
    "terminal.next": "Next: {words}",
    "terminal.no": "no",
    "terminal.no.connection": "no connection for {seconds} s: what is shown is of {when}, and"
    " nothing is sent",
    "terminal.no.service": "{place}: no service answers: {error}",
    "terminal.not.yours": "{place}: table {table} is none of yours; yours are: {yours}",
    "terminal.not.now": "{act}: not open to you now. The table is {status}; next: {due}. It is"
    " given by the {who}.",
    "terminal.nothing": "Nothing was done.",
    "terminal.once": "It is done, once.",
    "terminal.over": "this table cannot be had any more ({detail}): ask for a new link",
    "terminal.owes": "owes {amount}",
    "terminal.owner": "; connect to {owner}",
    "terminal.rounds": "Rounds of this shoe: {winners}",
    "terminal.seat": "{office}, seat {seat}",
    "terminal.seats.none": "No seat is taken.",
    "terminal.skipped": "Too much was missed to be listed: the table is shown as it stands now.",
    "terminal.staked": "{amount} staked",
    "terminal.status": "it answers with status {status}",
    "terminal.strange": "{text}: not understood; h shows what to type",
    "terminal.streaks": "Streaks: {streaks}",
    "terminal.type": "h: what to type here",
    "terminal.type.remote": "h: what to type here; w: wait for what comes",
    "terminal.unsure": "It was sent and not answered. It is sent again under the same key when the"
    " connection is back, and is done once at most.",
    "terminal.waiting": "Waiting for it; Ctrl+C leaves.",
    "terminal.waits": "{act}; {asked}. {needs} n withdraws it.",
    "terminal.which": "Which? ",
    "terminal.write.chips": "write chips, such as 20 x 100, 40 x 5",
    "terminal.write.count": "write a number",
    "terminal.write.date": "write a date, such as 2011-02-22",
    "terminal.write.flag": "write yes or no",
    "terminal.write.pairs": "write pairs, such as rule=value",
    "terminal.write.person": "write a name",
    "terminal.write.secret": "write it as the vault gives it",
    "terminal.write.serials": "write numbers, such as 12, 13",
    "terminal.write.stakes": "write wagers with amounts, such as {example} 100",
    "terminal.write.text": "write a text",
    "terminal.write.time": "write a time in UTC, such as 2011-02-22T20:00:00Z",
    "terminal.yes": "yes",
}
