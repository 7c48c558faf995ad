import type { Box, PageText, Word } from '../pages/page.ts'

/** Words that stand on one line of a page, from left to right. */
export interface Line {
  page: number
  words: Word[]
  box: Box
  /** Height of its median word: the measure for gaps. */
  height: number
  /** Whether bars between its words draw a text table: `| Low | <100 |`. */
  isFramed: boolean
}

/** Returns the smallest box around boxes. */
export function uniteBoxes(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Returns the middle value; 0 without any. */
export function median(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

function compareWords(a: Word, b: Word): number {
  return a.box.x - b.box.x || a.box.x + a.box.width - b.box.x - b.box.width
}

interface OpenLine {
  words: Word[]
  /** Where the line's middle is expected at an x further right. */
  middleAt(x: number): number
}

/**
 * Joins words to lines, top to bottom. Words are chained from left to right along the slope of the
 * page, so that a slightly skewed scan, or a photo whose lines fan out, still gives whole lines.
 */
export function buildLines(page: PageText): Line[] {
  const inOrder = page.source === 'recognized' ? partOverlapping(page.words) : page.words
  const words = inOrder.flatMap((word) => cleanWord(word))
  const slope = page.source === 'recognized' ? estimateSlope(words) : 0
  const open: OpenLine[] = []
  for (const word of [...words].sort(compareWords)) {
    const line = findLine(open, word)
    if (line) {
      if (!isPrintedTwice(line.words, word)) line.words.push(word)
      line.middleAt = continueLine(line.words, slope)
    } else {
      const started = { words: [word], middleAt: continueLine([word], slope) }
      open.push(started)
    }
  }
  // Recognition reads drawn rules as bars, too.
  const bars = page.source === 'recognized' ? [] : page.words.filter(({ text }) => /\|/.test(text))
  return open
    .map(({ words }) => withoutSpecks(words))
    .map((words) => ({
      page: page.number,
      words,
      box: uniteBoxes(words.map((word) => word.box)),
      height: median(words.map((word) => word.box.height)),
      isFramed: isFramed(words, bars),
    }))
    .sort((a, b) => startMiddle(a, slope) - startMiddle(b, slope))
}

/** Removes dirt that recognition read as a sign: a lone, small and uncertain one. */
function withoutSpecks(words: readonly Word[]): Word[] {
  const height = median(words.map((word) => word.box.height))
  const kept = words.filter(
    ({ text, confidence, box }) =>
      !(confidence < 0.6 && /^[\d+.,:;'`]$/.test(text) && box.height < height * 0.5),
  )
  return kept.length > 0 ? kept : [...words]
}

function isFramed(words: readonly Word[], bars: readonly Word[]): boolean {
  const first = words[0] as Word
  const beside = bars.filter(
    (bar) => Math.abs(middleOf(bar) - middleOf(first)) < first.box.height * 0.5,
  )
  const count = beside.reduce((sum, bar) => sum + bar.text.split('|').length - 1, 0)
  return count >= 2 && beside.some((bar) => bar.text.startsWith('|') && bar.box.x <= first.box.x)
}

/** Returns whether a word repeats another at the same place, as some printers do for bold. */
function isPrintedTwice(words: readonly Word[], word: Word): boolean {
  const last = words[words.length - 1]
  return last?.text === word.text && word.box.x - last.box.x < last.box.width * 0.3
}

/**
 * Recognition returns words in order, but is unsure where one ends: each begins after the one
 * before it.
 */
function partOverlapping(words: readonly Word[]): Word[] {
  const parted: Word[] = []
  for (const word of words) {
    const before = parted[parted.length - 1]
    const from = before ? before.box.x + before.box.width + word.box.height * 0.2 : 0
    const right = word.box.x + word.box.width
    const isOver =
      before &&
      Math.abs(middleOf(before) - middleOf(word)) < word.box.height * 0.25 &&
      word.box.x < from - word.box.height * 0.4 &&
      right > before.box.x + before.box.width * 0.9
    const width = Math.max(right - from, word.box.height * 0.3)
    parted.push(isOver ? { ...word, box: { ...word.box, x: from, width } } : word)
  }
  return parted
}

/** Removes drawn characters: bars between cells, lines of dashes, leader dots. */
function cleanWord(word: Word): Word[] {
  const text = word.text.trim()
  const bare = text.replace(/^(?:[-_=~*]{3,}|\|+)|(?:[-_=~*]{3,}|\|+|[.…]{3,}:?)$/gu, '')
  if (bare === '' || /^(?:[.…·]+:?|[_=~]{2,})$/u.test(bare)) return []
  if (bare === text) return [word]
  const step = word.box.width / text.length
  const x = word.box.x + step * text.indexOf(bare)
  return [{ ...word, text: bare, box: { ...word.box, x, width: step * bare.length } }]
}

function startMiddle(line: Line, slope: number): number {
  const first = line.words[0] as Word
  return middleOf(first) - slope * first.box.x
}

function middleOf(word: Word): number {
  return word.box.y + word.box.height / 2
}

function continueLine(words: readonly Word[], slope: number): (x: number) => number {
  const last = words.slice(-3)
  const heights = last.map((word) => word.box.height)
  const tallest = Math.max(...heights)
  // Superscripts and signs are off the middle; the tall words of the line define it.
  const solid = last.filter((word) => word.box.height >= tallest * 0.7)
  const x = solid.reduce((sum, word) => sum + word.box.x, 0) / solid.length
  const y = solid.reduce((sum, word) => sum + middleOf(word), 0) / solid.length
  return (at) => y + slope * (at - x)
}

function findLine(open: readonly OpenLine[], word: Word): OpenLine | undefined {
  let best: OpenLine | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const line of open) {
    const last = line.words[line.words.length - 1] as Word
    const height = Math.max(word.box.height, ...line.words.slice(-3).map((w) => w.box.height))
    const smaller = Math.min(word.box.height, last.box.height)
    const distance = Math.abs(line.middleAt(word.box.x) - middleOf(word))
    const touches = Math.abs(word.box.x - (last.box.x + last.box.width)) < height * 0.3
    const isRaised = smaller < height * 0.75 && touches
    const overlap = last.box.x + last.box.width - word.box.x
    const isOver = overlap > Math.min(last.box.width, word.box.width) * 0.6
    if (isOver && !isRaised && distance > height * 0.2) continue
    if (distance < (isRaised ? height * 0.7 : height * 0.45) && distance < bestDistance) {
      best = line
      bestDistance = distance
    }
  }
  return best
}

/** Estimates the slope of the text from neighbors that clearly follow each other. */
function estimateSlope(words: readonly Word[]): number {
  const slopes: number[] = []
  for (const word of words) {
    let next: Word | undefined
    for (const other of words) {
      const gap = other.box.x - (word.box.x + word.box.width)
      if (gap < 0 || gap > word.box.height * 12) continue
      if (Math.abs(middleOf(other) - middleOf(word)) > word.box.height * 0.6) continue
      if (!next || other.box.x < next.box.x) next = other
    }
    if (!next) continue
    const run = next.box.x + next.box.width / 2 - (word.box.x + word.box.width / 2)
    if (run > word.box.height * 2) slopes.push((middleOf(next) - middleOf(word)) / run)
  }
  return slopes.length < 8 ? 0 : median(slopes)
}
