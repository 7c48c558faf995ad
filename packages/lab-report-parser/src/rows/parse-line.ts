import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { joinColons, splitGlued } from './cell-words.ts'
import { type Cell, type Cells, extendName, joinSiblings, type Role } from './cells.ts'
import {
  type CellRole,
  isNumericValue,
  isQualitative,
  looksLikeDate,
  scoreFlag,
  scoreName,
  scoreRange,
  scoreUnit,
  scoreValue,
} from './content.ts'
import { type Hint, readLabels } from './labels.ts'

/**
 * How much the columns of the table speak for a role at a stretch of the page; 0 is no word about
 * it.
 */
export type ColumnPrior = (role: Role, left: number, right: number) => number

const roles: readonly CellRole[] = ['name', 'value', 'unit', 'range', 'flag']
const bit: Record<CellRole, number> = { name: 1, value: 2, unit: 4, range: 8, flag: 16 }
const longest: Record<Role, number> = { name: 14, value: 6, unit: 6, range: 12, flag: 3, other: 1 }

interface State {
  score: number
  /** Bits of the roles that the current result has. */
  mask: number
  cell: Cell | null
  previous: State | null
  startsResult: boolean
}

export interface LineOptions {
  /** The table has several columns of results, such as count and percentage. */
  allowsSiblings?: boolean
  /** What a label on the line above, such as `Your value`, says of this line. */
  label?: CellRole | null
}

/**
 * Divides a line into the cells of one or several results: the division and roles with the best sum
 * of scores.
 */
export function parseLine(line: Line, prior: ColumnPrior, options: LineOptions = {}): Cells[] {
  const { allowsSiblings = false, label = null } = options
  const words = joinColons(line.words.flatMap((word) => splitGlued(word)))
  const hints = readLabels(words, label)
  const best: Map<number, State>[] = words.map(() => new Map())
  best.push(new Map())
  best[0]?.set(0, { score: 0, mask: 0, cell: null, previous: null, startsResult: false })
  for (let at = 0; at < words.length; at++) {
    const states = best[at] as Map<number, State>
    if (states.size === 0) continue
    const isApart = at > 0 && gapBetween(words, at) > line.height * 1.2
    for (const { cell, score, end } of listCells(words, at, line.height, hints, prior))
      for (const state of states.values())
        extendPath(best[end] as Map<number, State>, state, cell, score, allowsSiblings, isApart)
  }
  return collect(best[words.length] as Map<number, State>, allowsSiblings)
}

function extendPath(
  states: Map<number, State>,
  from: State,
  cell: Cell,
  score: number,
  allowsSiblings: boolean,
  isApart: boolean,
): void {
  let mask = from.mask
  let total = from.score + score
  let startsResult = false
  if (cell.role !== 'other') {
    const own = bit[cell.role]
    if (cell.role === 'name' && mask & bit.value) {
      // A second table beside the first stands apart from it.
      total -= isApart && cell.content > 1.6 ? 1 : 3.5
      mask = own
      startsResult = true
    } else if (cell.role === 'value' && mask & bit.value && mask & bit.name) {
      if (!(mask & bit.unit) && !allowsSiblings) return
      total -= 1.2
      mask = bit.name | own
      startsResult = true
    } else if (mask & own) return
    else {
      if (cell.role !== 'name' && !(mask & bit.name)) total -= 0.4
      if (cell.role === 'name' && mask & (bit.unit | bit.range)) total -= 1.5
      if (cell.role === 'unit' && !(mask & (bit.value | bit.range))) total -= 0.5
      // Of two bounds beside each other, such as `<0.15  <= 3.00`, the first is the result.
      if (cell.role === 'value' && mask & bit.range) total -= 0.3
      mask |= own
    }
  }
  const known = states.get(mask)
  if (known && known.score >= total) return
  states.set(mask, { score: total, mask, cell, previous: from, startsResult })
}

function collect(states: Map<number, State>, allowsSiblings: boolean): Cells[] {
  let best: State | undefined
  for (const state of states.values()) {
    const bonus = state.mask & bit.value ? 0 : -0.3
    if (!best || state.score + bonus > best.score) best = { ...state, score: state.score + bonus }
  }
  const results: Cells[] = [{ others: [] }]
  for (let state = best ?? null; state?.cell; state = state.previous) {
    const current = results[0] as Cells
    if (state.cell.role === 'other') current.others.unshift(state.cell)
    else current[state.cell.role] = state.cell
    if (state.startsResult) results.unshift({ others: [] })
  }
  for (const cells of results) extendName(cells)
  return joinSiblings(results, allowsSiblings)
}

function* listCells(
  words: readonly Word[],
  at: number,
  height: number,
  hints: readonly Hint[],
  prior: ColumnPrior,
): Generator<{ cell: Cell; score: number; end: number }> {
  let text = ''
  let stretch = 0
  const left = (words[at] as Word).box.x
  const hint = hints[at] ?? null
  const gapBefore = at === 0 ? Number.POSITIVE_INFINITY : gapBetween(words, at) / height
  const before = words[at - 1]?.text ?? ''
  const followsValue = /\d/.test(before) || scoreUnit(before) >= 0.7 || isQualitative(before)
  const isInText =
    gapBefore < 0.75 && /\p{L}$/u.test(before) && /^\p{L}/u.test((words[at] as Word).text)
  const atBreak = isInText
    ? -1
    : gapBefore < 0.12
      ? -0.6
      : gapBefore < 0.75
        ? -0.35
        : gapBefore > 2
          ? 0.1
          : 0
  for (let end = at; end < words.length && end - at < 14; end++) {
    const word = words[end] as Word
    if (end > at) {
      if ((hints[end] ?? null) !== hint) return
      const gap = gapBetween(words, end) / height
      stretch += gap > 1 ? Math.min(6, (gap - 1) * 1.6) : 0
      if (stretch > 8) return
      text += gap < 0.08 ? word.text : ` ${word.text}`
    } else text = word.text
    const right = word.box.x + word.box.width
    const cellWords = words.slice(at, end + 1)
    for (const role of roles) {
      if (end - at >= longest[role]) continue
      if (hint === 'label' || hint === 'other') continue
      const column = prior(role, left, right)
      let content = scoreContent(role, text, cellWords, hint, column, gapBefore)
      if (content <= 0) continue
      if (gapBefore < 0.75 && !followsValue) content *= weighInName(role, text, before)
      if (role === 'unit' && at === 0 && column <= 0.5 && !/[/([]/.test(text)) content *= 0.2
      if (role === 'value' && gapBefore < 0.75 && isInWords(words, at, end, height)) content *= 0.4
      const isApart = role === 'unit' || (role === 'flag' && hint === 'value')
      const hinted = hint === role ? 2 : hint && !isApart ? -3 : 0
      const score = content + column + hinted - stretch + atBreak
      yield {
        cell: { role, words: cellWords, left, right, content, isLabelled: hint === role },
        score,
        end: end + 1,
      }
    }
    if (end === at) {
      const score = (hint === 'label' ? 0 : -0.5) + Math.min(0.5, prior('other', left, right))
      yield {
        cell: { role: 'other', words: cellWords, left, right, content: 0, isLabelled: false },
        score,
        end: end + 1,
      }
    }
  }
}

/** Words and signs close after a word of a name are its own: `Index`, `%`, `Ab`, `High`. */
function weighInName(role: CellRole, text: string, before: string): number {
  if (before === '' || /:$/.test(before)) return 1
  if (role === 'flag') return 0.15
  if (role !== 'unit') return 1
  if (/^[[(]/.test(text)) return 0.6
  return /\/(?:[dmuµμn]?L|mm|cu|h|min|g|hpf|lpf)/i.test(text) ? 1 : 0.15
}

/** Returns whether words follow as closely as others go before: `Vitamin D, 25 - hydroxy`. */
function isInWords(words: readonly Word[], at: number, end: number, height: number): boolean {
  const next = words[end + 1]
  if (!next || /:$/.test(words[at - 1]?.text ?? '')) return false
  return (
    gapBetween(words, end + 1) < height * 0.75 &&
    scoreUnit(next.text) < 0.7 &&
    scoreFlag(next.text) < 0.8
  )
}

function gapBetween(words: readonly Word[], at: number): number {
  const before = words[at - 1] as Word
  return (words[at] as Word).box.x - (before.box.x + before.box.width)
}

function scoreContent(
  role: CellRole,
  text: string,
  words: readonly Word[],
  hint: Hint,
  column: number,
  gapBefore: number,
): number {
  const isFirst = gapBefore === Number.POSITIVE_INFINITY
  switch (role) {
    case 'name':
      return scoreNameCell(text, words, isFirst, column)
    case 'value': {
      const score = scoreValue(text)
      if (score > 0) return score * 3
      const isText = (column > 0.8 && gapBefore > 0.9 && !isFirst) || hint === 'value'
      return isText && /\p{L}/u.test(text) && scoreUnit(text) < 0.5 ? 0.4 + 0.1 * words.length : 0
    }
    case 'unit':
      return scoreUnit(text) * 3
    case 'range': {
      const score = scoreRange(text)
      if (score > 0) return score * 3
      const isText = hint === 'range' || (column > 0.8 && gapBefore > 0.9)
      return isText && scoreUnit(text) < 0.7 && !looksLikeDate(text) ? 0.3 + 0.25 * words.length : 0
    }
    case 'flag':
      return /^[-+]+$/.test(text) && gapBefore < 0.5 && column < 0.5 ? 0 : scoreFlag(text) * 2.2
  }
}

function scoreNameCell(
  text: string,
  words: readonly Word[],
  isFirst: boolean,
  column: number,
): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 2 && !/^(?:[A-Z][⁺⁻+-]+|K|P|Na|Ca)$/u.test(text)) return 0
  if (looksLikeDate(text) || /^[.:;,/\-–)\]]|^%$/.test(text)) return 0
  if (/[<>≤≥]\s?\d/.test(text)) return 0.05
  const analyte = scoreName(text.replace(/:$/, ''))
  let score = 0.6 + 1.6 * analyte + (isFirst ? 0.5 : 0) + 0.12 * Math.min(words.length, 6)
  if (words.length > 8) score -= (words.length - 8) * 0.5
  for (const word of words.slice(1)) {
    // Numbers of sites and methods.
    if (/^0\d$/.test(word.text)) score -= 1.5
    else if (isNumericValue(word.text)) score -= analyte >= 0.95 ? 0 : analyte > 0.85 ? 0.4 : 0.9
    else if (analyte < 0.85 && !/^(?:%|[([].*)$/.test(word.text) && scoreUnit(word.text) >= 0.8)
      score -= 0.6
    else if (/^[HL]$/.test(word.text)) score -= 0.4
  }
  if (words.length === 1 && scoreUnit(text) >= 0.8 && column <= 0) score -= 1
  if (words.length === 1 && scoreFlag(text) >= 0.8) score -= 1.2
  if (isQualitative(text) || /^(?:no|not|non|niet|nicht|n[aã]o|keine?)$/i.test(text)) return 0.05
  return Math.max(score, 0.05)
}
