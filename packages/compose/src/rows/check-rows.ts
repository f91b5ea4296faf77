import { checkCondition } from "../conditions/check-condition.ts";
import { checkConfig } from "../conditions/check-config.ts";
import type { DeclaredFacts } from "../conditions/facts.ts";
import { type Issue, indexPath, keyPath, shortened } from "../input/issue.ts";
import { isObject, own } from "../json.ts";
import { groupName, idPattern } from "./row.ts";

/** What is wrong with a list of rows: fields, their types, conditions; groups recursively. Says nothing about which plugins exist. */
export function checkRows(value: unknown, path: string, declared: DeclaredFacts = {}): Issue[] {
  if (!Array.isArray(value)) return [invalid(path, "Rows are a list. Start each with a dash.")];
  return value.flatMap((row, index) => checkRow(row, indexPath(path, index), declared));
}

/** The fields that a row and a change share. `group` tells what `config` has to be, where that is known. */
export function checkFields(value: Record<string, unknown>, path: string, declared: DeclaredFacts, group: boolean | null): Issue[] {
  return Object.entries(value).flatMap(([field, given]) => {
    const at = keyPath(path, field);
    const check = Object.hasOwn(fieldChecks, field) ? fieldChecks[field] : undefined;
    if (!check)
      return [
        invalid(
          at,
          `A row has no field "${shortened(field)}". Its fields are ${Object.keys(fieldChecks).join(", ")}. Rename it or take it out.`,
        ),
      ];
    return check(given, at, declared, group);
  });
}

export const invalid = (path: string, message: string): Issue => ({ code: "ROW_INVALID", path, message });

function checkRow(row: unknown, path: string, declared: DeclaredFacts): Issue[] {
  if (!isObject(row)) return [invalid(path, "A row is a map with id and name. Remove this entry or write it out.")];
  const missing = ["id", "name"]
    .filter((field) => !Object.hasOwn(row, field))
    .map((field) => invalid(path, `A row needs "${field}". Add it.`));
  const group = own(row, "group") === true;
  const isGroupRow = own(row, "name") === groupName;
  const grouping =
    group === isGroupRow
      ? []
      : [invalid(path, `"group: true" belongs to rows named ${groupName} and to each of them. Correct one of both.`)];
  const rows = group && !Object.hasOwn(row, "config") ? [invalid(path, 'A group lists its rows in "config". Add it.')] : [];
  return [...missing, ...grouping, ...rows, ...checkFields(row, path, declared, group)];
}

type FieldCheck = (given: unknown, path: string, declared: DeclaredFacts, group: boolean | null) => Issue[];

const when = (refused: boolean, path: string, message: string): Issue[] => (refused ? [invalid(path, message)] : []);

const fieldChecks: Readonly<Record<string, FieldCheck>> = {
  id: (given, path) =>
    when(
      typeof given !== "string" || !idPattern.test(given),
      path,
      "An id is 1 to 64 small letters, digits and dashes, written literally. Choose such an id.",
    ),
  name: (given, path) =>
    when(
      typeof given !== "string" || given === "",
      path,
      "A name is a plugin's name in the catalogue, written literally; no condition can choose it.",
    ),
  config: (given, path, declared, group) => {
    if (Array.isArray(given) && group !== false) return checkRows(given, path, declared);
    const message = group ? "The config of a group is the list of its rows." : "Config is a map. Write its fields as key: value.";
    return isObject(given) && group !== true ? checkConfig(given, path, declared) : [invalid(path, message)];
  },
  disabled: (given, path, declared) => checkCondition(given, path, declared),
  group: (given, path) => when(given !== true, path, "Group is true or left out, written literally. Remove it."),
  isolate: (given, path) =>
    when(
      !isObject(given) || Object.entries(given).some(([service, realm]) => !isName(service) || !(realm === true || isName(realm))),
      path,
      "Isolate maps service names to true or to a label, written literally; no condition can choose them.",
    ),
  inject: (given, path) =>
    when(!Array.isArray(given) || !given.every(isName), path, "Inject is a list of service names, written literally."),
};

const isName = (value: unknown): value is string => typeof value === "string" && /^[A-Za-z][\w.-]{0,63}$/.test(value);
