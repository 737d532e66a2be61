"""Words in the names of columns: what they say that a column holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.records.rounds.cells import CODES

PLAIN_NAMES: Final = {
    "shoe": "table tableid tableno tablename tisch mesa shoe shoeno shoeid shoenumber shoename "
    "shoenum schuh schuhnr sabot zapato zapata sapato sapata sh",
    "round": "round roundno roundid roundnumber hand handno handid handnumber handnum handnr game "
    "gameno gameid coup coupno runde rundennr ronda mano tour gamen roundn handn "
    "rd rnd rndno rndnr main donne spiel spielnr jeu partie rodada juego juegon",
    "winner": "winner result res outcome win winninghand winningside gameresult ergebnis sieger "
    "gewinner resultado ganador risultato vincitore vencedor gagnant esito resultat",
    "burned": "burned burn burncards burnt",
    "seat": "seat seatno seatid seatnumber position pos box spot puesto asiento posto platz sitz "
    "place patron patronid patronname playerid playername customer customerid guest account "
    "accountid",
    "marks": "marks mark irregularity",
    "cards": "cards allcards dealt sequence",
}
"""Plain names without spaces, by what a column of such a name holds."""

SIDES: Final = {
    hand.value: (hand.value, hand.value[0], *names.split())
    for hand, names in zip(
        Hand,
        (
            "punto spieler joueur jugador jogador giocatore pl ply plr plyr",
            "bank bankier banco banque banquier banca bk bkr bnk bnkr",
        ),
        strict=True,
    )
}
SHOES: Final = frozenset({"shoe", "schuh", "sabot"})
SEQUENCES: Final = ("seq", "sequence")
COUNTERS: Final = frozenset((
    "round", "rnd", "hand", "game", "coup", "runde", "ronda", "rodada", "mano", "juego", "tour",
    *SEQUENCES,
))  # fmt: skip
"""Words of a column that may number the rounds; its values decide."""

NUMBERS: Final = frozenset({"no", "nr", "num", "number"})
"""Names of a column that numbers the rounds if it counts on within a shoe."""

_ENVELOPES: Final = frozenset({"data", "payload", "msg", "message", "body", "event", "record"})
NOT_OF_CARDS: Final = _ENVELOPES | frozenset(
    {"result", "results", "game", "round", "outcome", "hands", "hand", "cards", "card", "c",
     "karten", "karte", "cartas", "carta", "cartes", "carte", "dealt", "final", "rank", "suit",
     "1", "2", "3", "first", "second", "third"}
)  # fmt: skip
TOTAL_WORDS: Final = frozenset(
    {"total", "totals", "tot", "score", "scores", "points", "point", "pts", "count", "sum", "value",
     "t"}
)  # fmt: skip
_CARD_WORDS: Final = ("", "card", "cards", "hand", "c")
_LETTERS: Final = {"s": "player", "j": "player", "g": "player"}
"""Letters for a hand in other languages, followed by a card number."""

TIES: Final = ("ti", "draw", "egalite", "unentschieden", "empate", "pareggio")
METERS: Final = frozenset({"jp", "jackpot", "meter", "progressive", "pot", "pott"})
AMOUNT_WORDS: Final = {
    "vigorish": "vigorish vig commission comm comision comissao kommission",
    "paid": "paid pd payout payouts pay payment return returned retour winnings won "
    "out pago pagamento auszahlung paiement premio premios prize",
    "net": "net netto neto win wins profit result winloss pl pnl gewinn ganancia gain vincita "
    "results res resultado risultato resultat ergebnis",
    "stake": "stake stakes bet wager wagered staked bets wagers amount amt in einsatz apuesta "
    "aposta mise puntata monto importe montant betrag importo",
}
"""Words of an amount; one of a result counts before those of a stake."""

AMOUNT_OF: Final = {
    word: amount for amount, words in AMOUNT_WORDS.items() for word in words.split()
}
COUPONS: Final = frozenset({"coupon", "coupons", "freebet", "freebets", "matchplay"})
MONEY: Final = re.compile(
    "(?i)stake|net|bet|wager|win(?!ner)|won|paid|pay|amount|commission|vig|payout|credit|debit"
)
_NO_MONEY: Final = frozenset((
    "id", "ref", "no", "nr", "number", "count", "counter", "code", "type", "name", "time", "date",
    "status",
))  # fmt: skip
NAMES_OF_WAGERS: Final = (
    "wager", "bettype", "wagertype", "betname", "wagername", "betcode", "market", "selection",
    "apuesta", "apuestatipo", "tipoapuesta", "aposta", "tipoaposta",
    "tipodeapuesta", "tipodeaposta", "typedemise", "typedepari", "wettart", "pari", "wette",
    "scommessa", "beton", "wetteauf", "bet", "type", "name", "code",
)  # fmt: skip
_UNITS: Final = {
    "thousands": frozenset({"k", "thousand", "thousands", "tsd", "mille", "000"}),
    "cents": frozenset({"cents", "cent", "ct", "cts", "c", "minor", "pence"}),
}
UNNAMED: Final = frozenset((
    "dragon", "side", "hand", "spot", "coin", "total", "value", "on", "bac", "baccarat", "of", "us",
    "dollar", "dollars", "unit", "units", "incl", "including", "inkl",
    "gross", "brut", "bruto", "brutto", "wette", "owed", "due", "charged", "taken", "collected",
    *_ENVELOPES, *CODES.casefold().split(), *chain(*_UNITS.values()),
))  # fmt: skip
"""Words that do not distinguish wagers, as in Player Dragon Bonus."""

_JOINED: Final = sorted(
    (word for word in {*AMOUNT_OF, *_NO_MONEY, *TOTAL_WORDS, *chain(*SIDES.values()), *TIES, "card",
                       "cards", "shoe", "round", "hand", "game", *"_".join(WAGERS).split("_")}
     if len(word) > 2 or word in {"id", "in", "no", "pl"}),
    key=len, reverse=True,
)  # fmt: skip
"""Words that names without boundaries are parted into, such as ``PLAYERBETPAYOUT``."""

_LONGEST_JOINED: Final = 40
_SHORT: Final = 3
SEATS: Final = frozenset({*PLAIN_NAMES["seat"].split(), *SIDES, "plr", "chair", "s", "b", "p"})
"""Words before the number of a seat, in the name of a column of its wager."""

OF_WAGERS: Final = frozenset({"bet", "wager", "slot"})
_CHINESE: Final = {
    "闲家": "player", "閒家": "player", "闲": "player", "閒": "player", "庄家": "banker",
    "莊家": "banker", "庄": "banker", "莊": "banker", "和局": "tie", "和": "tie", "靴": "shoe",
    "局": "round", "号": "no", "號": "no", "牌": "cards", "结果": "result", "結果": "result",
    "投注": "bet", "下注": "bet", "派彩": "payout", "佣金": "commission",
}  # fmt: skip
STATE_WORDS: Final = frozenset({"status", "state", "flag", "correction"})


def plain_name(name: str) -> str:
    """Return the words of a name in lower case, without accents, joined by spaces."""
    parts = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])"
    for word, english in _CHINESE.items() if not name.isascii() else ():
        name = name.replace(word, f" {english} ")
    letters = unicodedata.normalize("NFKD", re.sub(parts, " ", name))
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.split(r"[\W_]+", text.casefold())).strip()


def _joined(text: str) -> list[str]:
    """Part a text that consists of words without a boundary; one of anything else has none."""
    if text[:1] in {"p", "b", "t"} and len(text) > _SHORT and text[1:] in AMOUNT_OF:
        return [text[0], text[1:]]
    for word in _JOINED if len(text) <= _LONGEST_JOINED else ():
        if text.startswith(word):
            rest = text[len(word) :]
            if not rest or (words := _joined(rest)):
                return [word, *(words if rest else ())]
    return []


@lru_cache(maxsize=1 << 14)
def words_of(name: str) -> tuple[str, ...]:
    plain_words = plain_name(name.replace("¢", " cents ")).split()
    text = " ".join(chain.from_iterable(_joined(word) or [word] for word in plain_words))
    text = re.sub(r"\bp l\b|(?<=player |banker )pl$|(?<=tie )pl$", "pnl", text)
    text = re.sub(r"\bpl (?=(?:stake|bet|win|net|paid|payout)\b)", "player ", text)
    text = re.sub(r"\b(free bets?|match play)\b", lambda words: words[0].replace(" ", ""), text)
    return tuple(
        re.sub(r"\b(?:win loss|w l|profit loss|gewinn verlust)\b", "winloss", text).split()
    )


def names_shoe(name: str) -> bool:
    return not SHOES.isdisjoint(words_of(name))


def amount_named(words: Iterable[str]) -> str | None:
    amounts = {AMOUNT_OF[word] for word in words if word in AMOUNT_OF}
    return next((amount for amount in AMOUNT_WORDS if amount in amounts), None)


def looks_like_amount(name: str) -> bool:
    """Return whether a column may be of money, by its name."""
    named = amount_named(words := words_of(name)) is not None or MONEY.search(name) is not None
    return named and _NO_MONEY.isdisjoint(words)


def unit_named(name: str) -> str:
    words = words_of(name)
    return next((unit for unit, names in _UNITS.items() if not names.isdisjoint(words)), "")


def sides_named(words: Sequence[str], key: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the hands that a name may name, by words of its own or within one, and what is left."""
    for side, names in SIDES.items():
        hand_words, other_words = ([word for word in words if (word in names) == is_hand]
                                   for is_hand in (True, False))  # fmt: skip
        if hand_words and (other_words or len(hand_words[-1]) > 1):
            yield side, {*other_words}
    for side, names in SIDES.items():
        for prefix in names:
            rest = key.removeprefix(prefix)
            rest = key.removesuffix(prefix) if rest == key else rest
            if rest != key and rest in TOTAL_WORDS:
                yield side, {rest}
            elif rest != key and rest.rstrip("123") in _CARD_WORDS:
                yield side, set()
    if key[-1:].isdigit() and (hand := _LETTERS.get(key.rstrip("123"))) is not None:
        yield hand, set()
