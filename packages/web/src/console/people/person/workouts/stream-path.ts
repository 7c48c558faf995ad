type Values = readonly (number | null)[]

interface Point {
  time: number
  value: number
}

/** More points cannot be distinguished. */
const MOST_POINTS = 800
/** A minute without a value is a gap of a channel that is measured each second. */
const SHORTEST_GAP = 60

/** Returns the seconds that have a value. Other channels are measured at seconds of their own. */
function pointsOf(times: readonly number[], values: Values): Point[] {
  return values.flatMap((value, index) =>
    value === null ? [] : [{ time: times[index] as number, value }],
  )
}

/** Returns the number of seconds from which on two values of a channel are not connected. */
function longestGap(points: readonly Point[]): number {
  const distances = points
    .slice(1)
    .map(({ time }, index) => time - (points[index] as Point).time)
    .sort((a, b) => a - b)
  return Math.max(SHORTEST_GAP, 3 * (distances[Math.floor(distances.length / 2)] ?? 0))
}

/**
 * Returns a path from 0 to 1 in both directions through the values of a channel, broken at gaps. A
 * single value is a dot.
 */
export function pathOf(times: readonly number[], values: Values): string {
  const known = pointsOf(times, values)
  const [low, high] = [
    Math.min(...known.map(({ value }) => value)),
    Math.max(...known.map(({ value }) => value)),
  ]
  const [first = 0, last = 1] = [times[0], times.at(-1)]
  const gap = longestGap(known)
  const step = Math.max(1, Math.ceil(known.length / MOST_POINTS))
  const shown = known.filter((_, index) => index % step === 0 || index === known.length - 1)
  return shown
    .map(({ time, value }, index) => {
      const x = ((time - first) / (last - first)).toFixed(4)
      const y = (high === low ? 0.5 : 0.95 - (0.9 * (value - low)) / (high - low)).toFixed(3)
      const before = shown[index - 1]
      const isJoined = before !== undefined && time - before.time <= gap * step
      return isJoined ? `L${x} ${y}` : `M${x} ${y}h0`
    })
    .join('')
}

/**
 * Returns the value at an index, or the nearest one in time within the longest gap of the channel.
 */
export function findNearestValue(
  times: readonly number[],
  values: Values,
  index: number,
): number | undefined {
  const at = times[index] as number
  const points = pointsOf(times, values)
  const distanceOf = ({ time }: Point): number => Math.abs(time - at)
  const nearest = points.reduce<Point | undefined>(
    (best, point) => (best && distanceOf(best) <= distanceOf(point) ? best : point),
    undefined,
  )
  return nearest && distanceOf(nearest) <= longestGap(points) ? nearest.value : undefined
}
