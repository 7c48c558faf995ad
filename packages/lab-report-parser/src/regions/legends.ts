import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import { textOf } from '../rows/cell-words.ts'
import { plainText, scoreName, scoreRange, scoreUnit, scoreValue } from '../rows/content.ts'
import { findTitleRole } from './column-titles.ts'

// Words of explanations of the signs, units and classes of a report, which are not results.

const HEADING =
  /^(?:legends?|key|key to (?:symbols|flags|abbreviations)|abbreviations?(?: used)?|units?(?: of measure(?:ment)?)?(?: key| legend)|unit (?:legend|abbreviations)|glossary|symbols?|(?:flags?|result) (?:key|legend)|explanation of (?:flags|symbols)|leyenda|abreviaturas|siglas|legende|abreviations|abkurzungen|legenda|abbreviazioni|abreviaturas utilizadas|afkortingen|zeichenerklarung|erlauterungen?|class (?:interpretation|legend|key|definitions?))$/

/** `H = High`, `mg/dL = milligrams per deciliter`, `1 g/dL = 10 g/L`. */
const EQUATION =
  /(?:^|(?<=[\s;,(|]))([\p{L}\p{N}*<>↑↓+#!%µ/^.()-]{1,14}(?: [\p{L}/]{1,8})?)\s?=\s?["“]?([\p{L}\d][\p{L}\d.,/-]*)/gu

const CLASS_WORD = /^(?:(?:rast|cap|ige) )?(?:class|klasse|classe|clase)\b/i

/** Words in which units and signs are spelled out. */
const SPELLED =
  /\b(?:(?:milli|micro|nano|pico|femto|deci|kilo)?(?:grams?|mol(?:es?)?|lit(?:er|re)s?|units?|gramos?|moles?|litros?|gramm?|liter)|per|por|pro|par|equivalents?|international|cubic|millimet(?:er|re)s?)\b/gi

function isLegendLine(line: Line): boolean {
  const text = textOf(line.words)
  const equations = [...text.matchAll(EQUATION)].filter(([, left = '', right = '']) =>
    isMeaning(left, right),
  )
  if (equations.length > 1) return true
  const cells = splitAtGaps(line, 0.9).map(textOf)
  const [first = ''] = cells
  if (equations.length === 1 && text.startsWith(equations[0]?.[0] ?? '')) return true
  const spelled = text.match(SPELLED)?.length ?? 0
  const startsWithUnit = scoreUnit(first) >= 0.7 || scoreUnit(line.words[0]?.text ?? '') >= 0.8
  return startsWithUnit && spelled >= 2 && !/\d\s*$/.test(text)
}

/**
 * Returns whether the left of an equation is a sign and the right its meaning, and not a name and
 * its value.
 */
function isMeaning(left: string, right: string): boolean {
  if (scoreName(left) >= 0.7 || scoreValue(right) >= 0.8)
    return scoreUnit(left) >= 0.7 && !/^\d/.test(left) && /^\p{L}{3}/u.test(right)
  return scoreUnit(left) >= 0.7 || /^\P{L}*\p{L}{0,4}\P{L}*$/u.test(left)
}

/**
 * `Class 2: 0.70 - 3.49 kU/L Moderate`; without the word where classes stand one under the other.
 */
function readClass(line: Line): number | undefined {
  const text = textOf(line.words)
  const [, number, rest = ''] =
    /^(?:(?:rast|cap|ige)\s)?(?:class|klasse|classe|clase)?\s?([0-6])(?:\/[0-6])?\s?[:=.)-]?\s+(.*)$/i.exec(
      text,
    ) ?? []
  if (number === undefined) return undefined
  const isClass = CLASS_WORD.test(text)
  const bounds = /^(?:[<>≤≥]=?\s?)?\d[\d.,]*(?:\s?(?:-|–|to|bis|a)\s?\d[\d.,]*)?/.test(rest)
  return bounds || (isClass && !/\d{3}/.test(rest)) ? Number(number) : undefined
}

/** Returns the lines that explain signs, units or classes. */
export function findLegends(lines: readonly Line[]): Set<Line> {
  const legends = new Set<Line>()
  let isUnderHeading = false
  for (const [at, line] of lines.entries()) {
    const text = textOf(line.words)
    if (HEADING.test(plainText(text.replace(/:$/, '')))) {
      isUnderHeading = true
      legends.add(line)
      continue
    }
    const isLegend =
      isLegendLine(line) || isClassLine(lines, at) || isClassTitle(line, lines[at + 1])
    if (isLegend || (isUnderHeading && isExplanation(line))) legends.add(line)
    else isUnderHeading = false
  }
  return legends
}

/** Classes count up, or say that they are classes. */
function isClassLine(lines: readonly Line[], at: number): boolean {
  const line = lines[at] as Line
  const number = readClass(line)
  if (number === undefined) return false
  if (CLASS_WORD.test(textOf(line.words))) return true
  const [above, below] = [lines[at - 1], lines[at + 1]].map((other) => other && readClass(other))
  return above === number - 1 || below === number + 1
}

/** `Class  kU/L  Level` over the classes. */
function isClassTitle(line: Line, below: Line | undefined): boolean {
  const [first = []] = splitAtGaps(line, 0.9)
  return (
    findTitleRole(textOf(first)) === 'class' &&
    below !== undefined &&
    readClass(below) !== undefined
  )
}

/**
 * Returns whether a line under the heading of a legend is a sign with its meaning, without a
 * number.
 */
function isExplanation(line: Line): boolean {
  const [first = [], ...others] = splitAtGaps(line, 0.9).map(textOf)
  const text = textOf(line.words)
  if (scoreName(String(first)) >= 0.9 && /\d/.test(text)) return false
  if (/^reference (?:interval|range)|^normal range/i.test(text)) return true
  return String(first).length <= 14 && !others.some((cell) => scoreRange(cell) >= 0.9)
}

/** Headings that only an account of tissue has, and those that may stand on any report. */
const TISSUE =
  /^(?:gross description|microscopic description|macroscopic description|final (?:pathologic(?:al)? )?diagnos[ie]s|pathologic(?:al)? diagnosis|synoptic report|immunohistochemistry|surgical pathology(?: report)?|cytology report|cytopathology(?: report)?|histopathology(?: report)?|histolog\w+ report|descripcion (?:macroscopica|microscopica)|diagnostico (?:anatomopatologico|histologico)|estudio anatomopatologico|anatomia patologica|kritischer bericht|histologischer befund|pathologischer befund|examen (?:macroscopique|microscopique) des|compte rendu anatomopathologique|esame istologico|laudo anatomopatologico)\b/
const ACCOUNT = /^(?:clinical (?:history|information|data)|specimens? submitted|diagnos[ie]s)\b/

/**
 * Returns the lines of a pathologist's account: from the first of at least two headings to the
 * beginning of a table.
 */
export function findNarrative(lines: readonly Line[], isTable: (at: number) => boolean): Set<Line> {
  const texts = lines.map((line) => plainText(textOf(line.words)))
  const headings = texts.flatMap((text, at) =>
    TISSUE.test(text) || ACCOUNT.test(text) ? [at] : [],
  )
  const [first] = headings
  if (first === undefined || headings.length < 2 || !texts.some((text) => TISSUE.test(text)))
    return new Set()
  let to = first + 1
  while (to < lines.length && !isTable(to)) to++
  return new Set(lines.slice(first, to))
}
