"""Work put off until somebody asks for it: values of an instance, compiled patterns.

A verdict looks at a small part of what it could look at, and a process that imports this package often
judges nothing at all.  Both pay only for what is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from importlib import import_module
from typing import Any, Generic, TypeVar, cast, overload

T = TypeVar("T")


def lazily(
    package: str, homes: Mapping[str, str], names: Iterable[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that loads the modules in `homes` when first asked (PEP 562).

    homes: public name -> module of the package that has it.
    """

    def find(name: str) -> Any:
        module = homes.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f".{module}", package), name)

    return find, lambda: sorted({*vars(import_module(package)), *names})


def submodules(package: str, folder: str) -> list[Any]:
    """The modules of a package, sorted by name: `pkgutil.iter_modules` without the 8 ms to import that."""
    from os import listdir

    try:
        files = listdir(folder)
    except OSError:  # in an archive
        from pkgutil import iter_modules

        files = [f"{found.name}.py" for found in iter_modules([folder])]
    names = {file.partition(".")[0] for file in files if file.endswith((".py", ".pyc"))}
    return [import_module(f"{package}.{name}") for name in sorted(names - {"__init__"})]


class cached_property(Generic[T]):
    """`functools.cached_property` without the lock that it takes up to Python 3.11.

    The value is kept in the instance's `__dict__`.  Two threads may both work it out; they get equal
    values, since nothing here depends on more than the instance.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> cached_property[T] | T:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.compute(instance)
        return value


Owner = TypeVar("Owner")


def remembered(compute: Callable[[Owner], T]) -> Callable[[Owner], T]:
    """A pure function of one object, worked out once for each: the value is kept in its `__dict__`.

    For what a module reads off a `Step` and asks for again and again.
    """
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def ask(instance: Owner) -> T:
        kept = instance.__dict__
        if key not in kept:
            kept[key] = compute(instance)
        value: T = kept[key]
        return value

    return ask


_SHORT = 500  # characters of a text that is worth its place


def kept(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """`lru_cache` for a pure function of a text.  Long texts are not kept: memory stays bounded."""

    def decorate(compute: Callable[[str], T]) -> Callable[[str], T]:
        cached = lru_cache(maxsize=most)(compute)

        @wraps(compute)
        def ask(text: str) -> T:
            return cached(text) if len(text) <= _SHORT else compute(text)

        return ask

    return decorate


class _Regex:
    """A pattern that is compiled when it is first used; from then on its methods are the compiled ones."""

    __slots__ = (
        *("source", "given", "compiled"),
        *(
            "search",
            "match",
            "fullmatch",
            "finditer",
            "findall",
            "split",
            "sub",
            "pattern",
            "flags",
        ),
    )

    def __init__(self, source: str, given: int) -> None:
        self.source, self.given = source, given

    def __getattr__(self, name: str) -> Any:  # only for slots that are still empty
        if name not in self.__slots__:
            raise AttributeError(name)
        self.compiled = compiled = re.compile(self.source, self.given)
        for each in self.__slots__[3:]:
            setattr(self, each, getattr(compiled, each))
        return getattr(self, name)


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, put off until the first search.

    A bad pattern therefore shows at its first use; a test compiles every one of them.
    """
    return cast("re.Pattern[str]", _Regex(source, int(flags)))


# The letters beyond ASCII that a pattern that ignores case takes for `i`, `s` and `k`; a test looks.
_TWINS = "\u0130\u0131\u017f\u212a"


def lowered(text: str) -> str:
    """`text` in lower case for `has_any`, each character beyond ASCII as `?`; "" where that may hide a mark."""
    if text.isascii():
        return text.lower()
    if any(map(text.__contains__, _TWINS)):
        return ""
    return text.encode("ascii", "replace").decode().lower()


def has_any(low: str, marks: Iterable[str]) -> bool:
    """False where `low`, a `lowered` text, surely has none of the marks, which are ASCII.

    A quick look before a slow pattern that ignores case.  Of "" nothing is sure: it has them all.
    """
    if not low:
        return True
    for mark in marks:  # quicker than any() for texts as short as most results  # noqa: SIM110
        if mark in low:
            return True
    return False
