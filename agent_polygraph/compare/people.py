"""The person a claim names against the person a call went to: full names, nicknames, initials, roles.

A claim is contradicted only where both sides are people: the closing gives a name of the table below,
and the call's recipient is an address or name that can be told to be somebody else's.  A role ("your
accountant"), a team, a mailbox (`support@`) and an opaque id say nothing.  Whatever ties the name to
the recipient in a result or in the request ends it.  O(closing + arguments of the calls).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.step import Step

# Given names, each line one name with its short forms; written for this project from general knowledge.
# A name may stand on several lines; what shares a line may be the same person.
_TABLE = """
robert rob bob bobby robbie bert|william will bill billy liam willy|richard rich rick dick ricky
james jim jimmy jamie|john johnny jack jon|jonathan jon jonny nathan|michael mike mick mickey michel
mikhail misha|david dave davey|daniel dan danny|joseph joe joey jose pepe|thomas tom tommy tomas
charles charlie chuck carlos karl carl|edward ed eddie ted ned eduardo|theodore theo ted|steven
stephen steve stefan esteban etienne|christopher chris kit|christian chris|christine christina
chris tina kristina|matthew matt matthias matteo mateo|andrew andy drew andreas andre andres
anthony tony antonio anton antoine|peter pete pedro pietro piotr petra pierre|nicholas nick nico
nicolas nikolai klaus|alexander alex sasha alexandra sandra xander alejandro alessandro lex
benjamin ben benny|samuel sam sammy|samantha sam|gregory greg gregor|patrick pat paddy patricia
tricia trish|lawrence larry laurence lorenzo laurent|timothy tim timmy|kenneth ken kenny|ronald
ron ronnie|donald don donny|jeffrey jeff geoffrey geoff|gerald gerry jerry gerard|frederick fred
freddy federico friedrich|francis frank francesco francisco paco franz francois|franklin frank
raymond ray ramon|philip phil philippe felipe|george georg jorge giorgio georges yuri|henry harry
hank heinrich henri enrique|harold harry hal|arthur art artie arturo|albert al bert alberto
alan al allen|eugene gene|leonard leo len lenny leonardo|louis lou luis luigi lewis ludwig
maximilian max|maxwell max|walter walt wally|zachary zach zack|joshua josh|jacob jake jakob
jacques|nathaniel nathan nate|vincent vince vinny vincenzo|victor vic viktor|martin marty martina
elizabeth liz lizzie beth betty eliza lisa elisabeth ellie libby|katherine kate katie kathy kat
catherine cathy katya kathryn karen caterina|margaret maggie meg peggy marge rita greta margarita
jennifer jen jenny jenna|jessica jess jessie|susan sue susie suzanne susanne|deborah deb debbie
barbara barb babs|rebecca becky becca|victoria vicky tori|veronica ronnie|stephanie steph
stefanie|michelle shelly micheline|nicole nicky nikki|nicola nicky|angela angie|anna ann anne annie
ana hannah anya nan|hannah hanna|joanna jo joan joanne giovanna|johanna hanna|josephine jo josie
theresa terry tess teresa|terence terry|dorothy dot dottie|helen nell helena elena ellen lena
eleanor ellie nora leonora|florence flo|abigail abby gail|natalie nat natalia natasha|madeline
maddie|caroline carrie carol carolina|charlotte lottie charlie|isabella bella izzy isabel isabelle
emily em emma emilia|amanda mandy|pamela pam|cynthia cindy|judith judy|julia julie juliet giulia
juliana jules|julian jules|laura laurie lori|linda lindy|maria mary marie molly mia mariana moira
mariam miriam|marianne|martha marta|sarah sara sally|sophia sophie sofia|valerie val|valentina val
vanessa nessa|kimberly kim|cassandra cass|gabriel gabe|gabriella gabby|rafael rafa raphael|ricardo
rico|roberto beto|guillermo memo|ignacio nacho|javier javi|manuel manolo|sergei sergey serge
sergio|dmitri dima|vladimir vlad|ivan vanya|aleksei alexei alyosha|tatiana tanya|yevgeny zhenya
olga olya|svetlana sveta|wolfgang wolf|hans johannes|jurgen|dieter|uwe|heike|sabine|ursula uschi
gunther|monika|ingrid inga|lars|sven|bjorn|erik eric|astrid|sigrid|freya|ola|priya|raj rajesh
rahul|amit|anil|sunil|deepak|vijay|sanjay|ravi|arjun|anjali|neha|pooja|kavita|sunita|lakshmi|aisha
fatima|mohammed muhammad mohamed mo|ahmed ahmad|ali|hassan hasan|hussein|omar|yusuf youssef
ibrahim|khalid|layla leila|zainab|wei|li|ming|lin|hui|xin|yang|jing|mei|hiroshi|kenji|takashi
yuki|akira|haruto|sakura|naoko|minjun|jiwoo|seoyeon|nguyen|linh|thanh|kofi|kwame|amara|chidi
ngozi|adaeze|tunde|zanele|thabo|olivia liv|oliver ollie|ava|noah|ethan|logan|lucas luke luca
lukas|mason|aiden|jayden|grace|chloe|zoe|lily|amelia|evelyn eve|harper|ella|avery|scarlett|ruby
alice ali|beatrice bea|clara|diana|eva|fiona|gemma|heather|irene|iris|jane janet|kevin kev|keith
lee|marcus mark marco marc|neil|oscar|paul paolo pablo pauline|quentin|roger|ruth|simon simone
stuart stu|trevor|tyler|ursula|wayne|wendy|yolanda|yvonne|dana|casey|jordan|morgan|taylor|robin
cobus|bruno|diego|emiliano|fernando|gonzalo|hector|joaquin|lucia|paloma|pilar|rosa|ximena|acacia
"""
_NAME = regex(
    r"(?<![\w@./-])([A-ZÀ-Þ][a-zß-ÿ]{1,19})(?:[ -]([A-ZÀ-Þ][a-zß-ÿ]{1,19}))?(?![\w@/-]|\.\w)"
)
_WORD = regex(r"[^\W\d_]+")
_EMAIL = regex(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PERSONAL = frozenset(
    "send notify reply share book schedule remind assign call forward invite transfer pay create".split()
)
# Arguments that say who gets it.
_TO = frozenset(
    "to recipient recipients email address addresses with attendees attendee invitee invitees"
    " assignee user contact person customer name".split()
)
_MAILBOXES = frozenset(
    "info support sales help hello office team billing accounts accounting legal hr it ops admin"
    " finance contact service noreply no reply news marketing press jobs careers privacy security"
    " orders returns feedback mail post all everyone staff".split()
)
# What a first name may be part of: no person then.
_NO_PERSON = frozenset(
    "street st avenue ave road rd city county bank university college hotel airport park lake mount"
    " project plan server release sprint inc ltd gmbh corp llc group team".split()
)


class Misdirected(NamedTuple):
    """A claim about a person, the call that went to another one, the name and the recipient."""

    claim: Claim
    step: Step
    said: str
    was: str


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    known: dict[str, set[str]] = {}
    for line in _TABLE.replace("\n", "|").split("|"):
        names = line.split()
        for name in names:
            known.setdefault(name, set()).update(names)
    return {name: frozenset(group) for name, group in known.items()}


def same_given_name(one: str, other: str) -> bool:
    """True when two given names may be the same person's: equal, a short form, or a beginning."""
    if one == other or other in _groups().get(one, ()):
        return True
    return min(len(one), len(other)) >= 3 and (one.startswith(other) or other.startswith(one))


def misdirected(turn: Turn) -> Iterator[Misdirected]:
    """Claims whose person is not the one that the calls they are about went to."""
    for claim in turn.claims:
        if claim.kind != "action" or not claim.plain or claim.effect not in _PERSONAL:
            continue
        steps = [s for s in turn.steps_for(claim) if s.result is not None and not s.outcome.bad]
        if not steps or len(steps) > 4 or any(step.command is not None for step in steps):
            continue
        for name in _named(turn, claim):
            aimed = [(step, _recipients(step)) for step in steps]
            if not all(who for _, who in aimed):
                break  # a recipient that is no person's could be anybody
            if any(_tied(turn, name, one) for _, who in aimed for one in who):
                continue
            step, who = aimed[-1]
            yield Misdirected(claim, step, " ".join(name).title(), ", ".join(who))
            break


def unmailed(turn: Turn) -> Iterator[Misdirected]:
    """Claims that something went to an address, where every call gives its addresses and none is it."""
    sent = [
        step
        for step in turn.ledger.acts
        if not step.reads_only and not step.effects.isdisjoint(_SENDS)
    ]
    aims = [[text for _, text in step.argument_leaves[:40] if "@" in text] for step in sent]
    if not sent or not all(aims) or any(s.delegated or s.command is not None for s in sent):
        return
    if any("opaque" in step.effects for step in turn.ledger.acts):
        return
    known = {mail.casefold() for texts in aims for text in texts for mail in _EMAIL.findall(text)}
    document = turn.closing.document
    for claim in turn.claims:
        if claim.kind != "action" or not claim.plain or claim.effect not in _SENDS:
            continue
        for value in claim.values:
            if value.kind != "email" or value.norm in known:
                continue
            before = document.text[claim.start : value.start].casefold().split()[-1:]
            if not (before and before[0].strip("`*(<\"'") in _ABOUT):
                yield Misdirected(claim, sent[-1], value.text, ", ".join(sorted(known)[:5]))


_SENDS = frozenset({"send", "notify", "reply", "share", "post"})


def asked_for_another(turn: Turn) -> Iterator[Misdirected]:
    """`the booking with Pekur Virno went through`, where all that acted was given somebody else's address.

    The request has one address, no call was given it, and no part of the address that got it stands there.
    """
    told = [m.text for _, m in turn.ledger.messages if m.role in ("user", "human")]
    request = "\n".join((turn.task, *told))
    asked = {mail.casefold() for mail in _EMAIL.findall(request[:20_000])}
    names = [name for mail in asked for name in _parts(mail) if len(name) >= 3]
    if len(asked) != 1 or len(names) < 2 or _FROM.search(request):
        return
    acts = [s for s in turn.ledger.acts if not s.reads_only and not s.outcome.bad]
    if any(s.delegated or s.command is not None for s in acts):
        return
    if any(asked & set(map(str.casefold, _EMAIL.findall(s.argument_text[:20_000]))) for s in acts):
        return
    aimed = [(step, who) for step in acts if (who := _recipients(step))]
    known = {_fold(word) for word in _WORD.findall(request[:20_000])}
    if not aimed or any(known.intersection(_parts(one)) for _, who in aimed for one in who):
        return
    document = turn.closing.document
    for claim in turn.claims:
        said = {_fold(word) for word in _WORD.findall(document.text[claim.start : claim.end])}
        if claim.plain and claim.kind in _TELLS and said.issuperset(names):
            step, who = aimed[-1]
            yield Misdirected(claim, step, next(iter(asked)), ", ".join(who[:5]))
            return


_FROM = regex(r"\b(?:from|von|de|da):? {0,2}[<(\"]{0,2}[\w.+-]{1,64}@", re.IGNORECASE)
_TELLS = frozenset({"action", "done", "works", "state"})


def _named(turn: Turn, claim: Claim) -> list[tuple[str, ...]]:
    """The people that the clause names behind its verb, as (given,) or (given, family)."""
    text = turn.closing.document.text[max(claim.at, claim.start) : claim.end]
    found: list[tuple[str, ...]] = []
    for match in _NAME.finditer(text):
        given, family = _fold(match.group(1)), _fold(match.group(2) or "")
        if given in _groups() and family not in _NO_PERSON:
            # `about Tom's order` names what it is about, not whom it went to.
            before = text[: match.start()].split()[-1:]
            owner = text[match.end() : match.end() + 2] in ("'s", "’s")
            if not owner and not (before and before[0].casefold() in _ABOUT):
                found.append((given, family) if family else (given,))
    return found


_ABOUT = frozenset(
    "about regarding re for from by über wegen sobre von de par of titled named called per".split()
)


def _recipients(step: Step) -> list[str]:
    """The people in the arguments that say who gets it; empty where any of them is nobody's name."""
    found: list[str] = []
    for key, text in step.argument_leaves[:40]:
        if not _TO.intersection(key.replace("-", "_").split("_")) or len(text) > 400:
            continue
        mails = _EMAIL.findall(text)
        for one in mails or [text]:
            words = _parts(one)
            person = any(word in _groups() for word in words) or (
                bool(mails) and len(words) >= 2 and not _MAILBOXES.intersection(words)
            )
            if not person:
                return []
            found.append(one)
    return found


def _parts(text: str) -> list[str]:
    return [_fold(word) for word in _WORD.findall(text.partition("@")[0])]


def _fold(word: str) -> str:
    low = word.casefold()
    return low.translate(_ACCENTS)


_ACCENTS = str.maketrans("áàâäãåéèêëíìîïóòôöõúùûüñçý", "aaaaaaeeeeiiiiooooouuuuncy")


def _tied(turn: Turn, name: tuple[str, ...], recipient: str) -> bool:
    """True when the recipient may be the named person, or anything in the turn says so."""
    parts = _parts(recipient)
    if any(same_given_name(given, part) for given in name for part in parts):
        return True
    if len(name) == 2 and any(name[1] in part or name[0] in part for part in parts):
        return True
    if any(
        part.startswith(name[-1]) or name[-1].startswith(part) for part in parts if len(part) > 2
    ):
        return True
    initials = "".join(word[0] for word in name)
    if any(len(part) <= 3 and part.startswith(initials[0]) for part in parts) and len(parts) < 2:
        return True  # `dk@`, `d@`
    alias = set(_groups().get(name[0], ())) | set(name)
    mark = recipient.casefold()
    texts = [step.text[:4000] for step in turn.ledger.acts if step.result is not None]
    texts += [turn.task, *turn.ledger.told]
    texts += [
        step.argument_text[:4000]
        for step in turn.ledger.acts
        if mark in step.argument_text.casefold()
    ]
    return any(
        mark in low and alias.intersection(map(_fold, _WORD.findall(low)))
        for low in (text.casefold() for text in texts)
    )
