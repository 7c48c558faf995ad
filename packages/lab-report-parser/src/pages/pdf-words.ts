import type { Word } from './page.ts'
import type { Character } from './pdf-characters.ts'

// Joins characters to words by visible gaps, because files write invisible spaces and omit visible
// ones. All lengths are shares of the font size.

/** Letters of one word have smaller gaps, words larger ones, even with letter spacing. */
const WORD_GAP = 0.17
/** Largest overlap of letters of one word. */
const OVERLAP = 0.35
const BASE_LINE = 0.12
/** Largest distance of letters that are printed twice for bold. */
const DOUBLE_STRIKE = 0.15
const SMALLER = 0.85
const RAISED = 0.18
const MAX_RAISED = 0.75
const LOWERED = 0.4
/** What stands above the base line, and below it. */
const ASCENT = 0.78
const DESCENT = 0.22

const SUPERSCRIPTS: Record<string, string> = {
  '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
  '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻',
} // biome-ignore format: a table

interface Run {
  text: string
  left: number
  right: number
  inkLeft: number
  inkRight: number
  /** Of its base line. */
  y: number
  size: number
  isBold: boolean
  color: string | null
  last: Character
  /** A written space stands before, or after it. */
  isAfterSpace: boolean
  isBeforeSpace: boolean
}

/** Joins upright characters to words, from top to bottom and from left to right. */
export function joinCharacters(characters: readonly Character[]): Word[] {
  const runs: Run[] = []
  let run: Run | undefined
  let isAfterSpace = false
  for (const character of characters) {
    if (character.text.trim() === '') {
      if (run) run.isBeforeSpace = true
      run = undefined
      isAfterSpace = true
      continue
    }
    if (run && isStruckTwice(run, character)) {
      run.isBold = true
      continue
    }
    if (run && follows(run, character)) append(run, character)
    else {
      run = startRun(character, isAfterSpace)
      runs.push(run)
    }
    isAfterSpace = false
  }
  return joinRuns(runs).map(toWord).sort(byPosition)
}

function startRun(character: Character, isAfterSpace: boolean): Run {
  const { left, right, inkLeft, inkRight, y, style } = character
  return {
    text: character.text,
    ...{ left, right, inkLeft, inkRight, y },
    size: style.size,
    isBold: style.isBold,
    color: style.color,
    last: character,
    isAfterSpace,
    isBeforeSpace: false,
  }
}

function isStruckTwice(run: Run, { text, x, y, style }: Character): boolean {
  const { last } = run
  const reach = DOUBLE_STRIKE * style.size
  return (
    style !== last.style &&
    last.text === text &&
    Math.abs(last.x - x) < reach &&
    Math.abs(last.y - y) < reach
  )
}

type Level = 'base' | 'raised' | 'lowered'

/** Returns the level of a text in a run, or undefined when it belongs to another line. */
function levelOf(run: Pick<Run, 'y' | 'size'>, y: number, size: number): Level | undefined {
  const rise = (run.y - y) / run.size
  if (Math.abs(rise) <= BASE_LINE && size <= run.size * 1.3) return 'base'
  if (size > run.size * SMALLER && rise < 0) return undefined
  if (rise >= RAISED && rise <= MAX_RAISED && size <= run.size * 1.02) return 'raised'
  return rise < 0 && rise >= -LOWERED ? 'lowered' : undefined
}

function isNear(run: Run, left: number, size: number): boolean {
  const gap = (left - run.right) / Math.max(run.size, size)
  return gap <= WORD_GAP && gap >= -OVERLAP
}

function follows(run: Run, character: Character): boolean {
  // The letters of one ligature stand all at its place.
  if (
    character.style === run.last.style &&
    character.x === run.last.x &&
    character.y === run.last.y
  )
    return true
  if (!isNear(run, character.left, character.style.size)) return false
  const level = levelOf(run, character.y, character.style.size)
  return level === 'raised' ? character.text in SUPERSCRIPTS : level !== undefined
}

function append(run: Run, character: Character): void {
  const level = levelOf(run, character.y, character.style.size)
  run.text += level === 'raised' ? (SUPERSCRIPTS[character.text] ?? character.text) : character.text
  run.right = Math.max(run.right, character.right)
  run.inkRight = Math.max(run.inkRight, character.inkRight)
  run.last = character
}

/** Joins runs that stand side by side, whatever their drawing order. */
function joinRuns(runs: Run[]): Run[] {
  const lines = new Map<number, Run[]>()
  const joined: Run[] = []
  for (const run of [...runs].sort((one, other) => one.left - other.left)) {
    const line = Math.round(run.y / 4)
    const before = [line, line - 1, line + 1, line + 2]
      .flatMap((key) => lines.get(key) ?? [])
      .find((candidate) => continues(candidate, run))
    if (before) {
      const isRaised = levelOf(before, run.y, run.size) === 'raised'
      before.text += isRaised
        ? [...run.text].map((one) => SUPERSCRIPTS[one] ?? one).join('')
        : run.text
      before.right = Math.max(before.right, run.right)
      before.inkRight = Math.max(before.inkRight, run.inkRight)
      before.isBeforeSpace = run.isBeforeSpace
      continue
    }
    joined.push(run)
    const open = (lines.get(line) ?? []).filter((other) => other.right > run.left - other.size)
    lines.set(line, [...open, run])
  }
  return joined
}

function continues(before: Run, run: Run): boolean {
  if (before.isBeforeSpace || run.isAfterSpace || !isNear(before, run.left, run.size)) return false
  const level = levelOf(before, run.y, run.size)
  return level === 'raised'
    ? [...run.text].every((one) => one in SUPERSCRIPTS)
    : level !== undefined
}

function toWord(run: Run): Word {
  return {
    // Ligatures and wide forms become plain letters; superscripts stay.
    text: run.text.replace(/[ﬀ-ﬆ\uff01-\uff5e]/gu, (one) => one.normalize('NFKC')).normalize('NFC'),
    box: {
      x: run.inkLeft,
      y: run.y - ASCENT * run.size,
      width: Math.max(0, run.inkRight - run.inkLeft),
      height: (ASCENT + DESCENT) * run.size,
    },
    confidence: 1,
    fontSize: run.size,
    isBold: run.isBold,
    color: run.color,
  }
}

function byPosition(one: Word, other: Word): number {
  const distance = one.box.y + one.box.height - other.box.y - other.box.height
  return Math.abs(distance) > 0.01 ? distance : one.box.x - other.box.x
}
