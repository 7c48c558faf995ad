/** Degrees north and east. */
export type Coordinates = readonly [latitude: number, longitude: number]

/**
 * Returns the points that best describe the shape of a line, at most `most`, first and last
 * included: Ramer-Douglas-Peucker division, at each step at the farthest point, until there are
 * enough. Distances are planar, east-west shortened as at the first point.
 */
export function simplifyLine(line: readonly Coordinates[], most: number): Coordinates[] {
  if (line.length <= most) return [...line]
  const shrink = Math.cos(((line[0]?.[0] ?? 0) * Math.PI) / 180)
  const kept = new Set([0, line.length - 1])
  const open = [farthestOf(line, 0, line.length - 1, shrink)]
  while (kept.size < most && open.length > 0) {
    const next = open.reduce((best, part, index) => {
      return part.distance > (open[best] as Part).distance ? index : best
    }, 0)
    const { from, at, to } = open.splice(next, 1)[0] as Part
    kept.add(at)
    for (const [start, end] of [
      [from, at],
      [at, to],
    ] as const) {
      if (end - start > 1) open.push(farthestOf(line, start, end, shrink))
    }
  }
  return [...kept].sort((a, b) => a - b).map((index) => line[index] as Coordinates)
}

/** A part of the line with its point that is farthest from its chord. */
interface Part {
  from: number
  at: number
  to: number
  distance: number
}

function farthestOf(line: readonly Coordinates[], from: number, to: number, shrink: number): Part {
  const part: Part = { from, at: from + 1, to, distance: -1 }
  const [startY, startX] = line[from] as Coordinates
  const [endY, endX] = line[to] as Coordinates
  const [dx, dy] = [(endX - startX) * shrink, endY - startY]
  const lengthSquared = dx * dx + dy * dy
  for (let index = from + 1; index < to; index++) {
    const [latitude, longitude] = line[index] as Coordinates
    const [x, y] = [(longitude - startX) * shrink, latitude - startY]
    const along = lengthSquared === 0 ? 0 : clamp((x * dx + y * dy) / lengthSquared)
    const distance = Math.hypot(x - along * dx, y - along * dy)
    if (distance > part.distance) {
      part.at = index
      part.distance = distance
    }
  }
  return part
}

const clamp = (share: number): number => Math.min(Math.max(share, 0), 1)
