import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../time-units.ts'
import type { TimeRange } from './time-view.ts'

/** A stretch of time that is loaded at once, so that moving loads only what is new. */
export interface Tile {
  /** Unix seconds. */
  from: number
  length: number
}

const SHORTEST_TILE = 120

/**
 * Returns the length of the shortest tile that covers the visible span; each length is twice the
 * one before.
 */
function tileLength(span: number): number {
  return SHORTEST_TILE * 2 ** Math.max(0, Math.ceil(Math.log2(span / SHORTEST_TILE)))
}

/** Returns the tiles that are visible, one or two. */
export function visibleTiles({ from, to }: TimeRange): Tile[] {
  const length = tileLength(to - from)
  const first = Math.floor(from / length)
  const last = Math.floor((to - 1) / length)
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    from: (first + index) * length,
    length,
  }))
}

/** Returns the neighbors of tiles, to be loaded before the view moves there. */
export function neighborTiles(tiles: readonly Tile[]): Tile[] {
  const [first] = tiles
  const last = tiles.at(-1)
  if (first === undefined || last === undefined) return []
  const { length } = first
  return [
    { from: first.from - length, length },
    { from: last.from + length, length },
  ]
}

export const nameTiles = (range: TimeRange): string =>
  visibleTiles(range)
    .map(({ from, length }) => `${from}+${length}`)
    .join()

export const tilesOf = (names: string): Tile[] =>
  names.split(',').map((name) => {
    const [from = 0, length = 0] = name.split('+').map(Number)
    return { from, length }
  })

/** Durations of a bar, in units that people use. */
const BARS = [
  MINUTE_SECONDS,
  5 * MINUTE_SECONDS,
  15 * MINUTE_SECONDS,
  HOUR_SECONDS,
  DAY_SECONDS,
  7 * DAY_SECONDS,
  28 * DAY_SECONDS,
]
/** Largest number of bars or pairs of a tile, of which at least a half is visible. */
const MOST_BARS = 220
const MOST_READINGS = 3000

/** Returns how many points a tile of a chart has at most. */
export function pointsOf({ length }: Tile, kind: 'sum' | 'level' | 'pair'): number {
  if (kind === 'level') return MOST_READINGS
  if (kind === 'pair') return MOST_BARS
  const bar = BARS.find((seconds) => length / seconds <= MOST_BARS) ?? 28 * DAY_SECONDS
  return Math.max(2, Math.ceil(length / bar))
}
