"""Options of a command as a table of ``croupier.toml``, and the schema of that file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from croupier.files.errors import FileError, did_you_mean
from croupier.files.toml import read_settings
from croupier.records.json_schema import DIALECT, Schema

FAULTS: Final = "croupier.settings_faults"
TABLES: Final = "croupier.settings_tables"
_TABLES: Final = frozenset({"groups", "equipment"})
"""Arrays of tables, which are no options."""
_TABLE: Final = "serve"


class SettingsCommand(click.Command):
    """Options have defaults in ``[serve]`` of ``croupier.toml``; faults are in ``ctx.meta``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            faults: list[str] = []
            ctx.meta[FAULTS] = faults
            ctx.default_map = dict(self._read(ctx, faults))
        return super().parse_args(ctx, args)

    def _read(self, ctx: click.Context, faults: list[str]) -> Iterator[tuple[str, Any]]:
        try:
            file = read_settings(faults)
        except FileError as error:
            faults.extend(error.errors)
            return
        table = {} if file is None else file.tables.get(_TABLE, {})
        if file is None or not isinstance(table, dict):
            if file is not None:
                faults.append(file.located(_TABLE, "must be a table, as [serve]"))
            return
        params = settable(self)
        ctx.meta[TABLES] = {key: table[key] for key in _TABLES & table.keys()}
        for key, value in table.items():
            if key in _TABLES:
                continue
            param, place = params.get(key), f"{_TABLE}.{key}"
            if param is None:
                hint = did_you_mean(key, params)
                message = f"unknown key; the keys are the options of croupier serve{hint}"
                faults.append(file.located(place, message))
                continue
            try:
                _check_kind(_schema_of(param), value)
                param_value = tuple(value) if isinstance(value, list) else value
                param.process_value(ctx, param_value)
            except click.BadParameter as error:
                faults.append(file.located(place, error.message))
            else:
                yield str(param.name), param_value


def settable(command: click.Command) -> Mapping[str, click.Parameter]:
    return {
        key_of(param): param
        for param in command.params
        if param.name != "check" and not getattr(param, "hidden", False)
    }


def key_of(param: click.Parameter) -> str:
    names = [option for option in param.opts if option.startswith("--")]
    return names[0].removeprefix("--") if names else str(param.name)


def settings_schema(command: click.Command) -> Schema:
    from croupier.server.equipment import schema_of_equipment  # noqa: PLC0415  (an extra)
    from croupier.server.sign_on import schema_of_groups  # noqa: PLC0415

    options = {key: _schema_of(parameter) for key, parameter in settable(command).items()}
    options |= {"groups": {**schema_of_groups()}, "equipment": {**schema_of_equipment()}}
    return {
        "$schema": DIALECT,
        "title": "croupier.toml",
        "description": "The settings of the folder that a command is run in.",
        "type": "object",
        "properties": {
            "laws": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Folders of law files.",
            },
            _TABLE: {
                "type": "object",
                "properties": options,
                "additionalProperties": False,
                "description": "Options of croupier serve; the command line comes first.",
            },
        },
        "additionalProperties": False,
    }


def _schema_of(param: click.Parameter) -> Schema:
    kind = param.type
    data: Schema = {"type": "string"}
    if isinstance(kind, click.Choice):
        data = {"enum": [*kind.choices]}
    elif isinstance(kind, click.IntRange | click.FloatRange):
        data = {"type": "integer" if isinstance(kind, click.IntRange) else "number"}
        limits = {"minimum": kind.min, "maximum": kind.max}
        data |= {name: limit for name, limit in limits.items() if limit is not None}
    elif getattr(param, "is_flag", False):
        data = {"type": "boolean"}
    if param.nargs == -1 or getattr(param, "multiple", False):
        data = {"type": "array", "items": data}
    elif param.nargs > 1:
        data = {"type": "array", "items": data, "minItems": param.nargs, "maxItems": param.nargs}
    help_text = getattr(param, "help", None)
    return {**data, "description": help_text} if help_text else data


_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
}


def _check_kind(schema: Schema, value: object) -> None:
    kind = schema.get("type", "string")
    is_flag = isinstance(value, bool)
    if not isinstance(value, _KINDS[kind]) or is_flag is not (kind == "boolean"):
        raise click.BadParameter(f"must be {'an' if kind[0] in 'ai' else 'a'} {kind}")
    if isinstance(value, list):
        for item in value:
            _check_kind(schema["items"], item)
