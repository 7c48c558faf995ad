import { type Gray, resizeGray } from './gray.ts'
import type { Point, Quad } from './homography.ts'

/** A straight edge: x·nx + y·ny = distance, with the brighter side where n points. */
interface Edge {
  nx: number
  ny: number
  distance: number
  /** A side of the picture, where a page is cut. */
  isBorder: boolean
}

/** Part of a side that must be an edge from bright paper to something darker. */
const LEAST_SUPPORT = 0.62
/** Smallest difference of brightness between paper and its surroundings. */
const LEAST_STEP = 14
/** Smallest part of the picture that a page covers. */
const LEAST_AREA = 0.2
const ANGLES = 360
/** The longer side of the picture in which outlines are searched. */
const SEARCH_SIZE = 400

/**
 * Removes dark narrow shapes, such as text: the maximum of the neighborhood, then the minimum of
 * that.
 */
function closeDark(gray: Gray, reach: number): Gray {
  const invert = ({ data, ...size }: Gray): Gray => ({ ...size, data: data.map((it) => 255 - it) })
  const largest = (from: Gray): Gray =>
    transpose(growAlongLines(transpose(growAlongLines(from, reach)), reach))
  return invert(largest(invert(largest(gray))))
}

/**
 * Returns the largest of `reach` pixels to both sides in each line, in the same time for every
 * reach (van Herk 1992): lines are cut into blocks as long as that neighbourhood, which then is the
 * end of one block and the begin of the next.
 */
function growAlongLines({ width, height, data }: Gray, reach: number): Gray {
  const span = 2 * reach + 1
  const length = Math.ceil((width + 2 * reach) / span) * span
  const line = new Uint8Array(length)
  const fromBegin = new Uint8Array(length)
  const toEnd = new Uint8Array(length)
  const grown = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    line.set(data.subarray(y * width, (y + 1) * width), reach)
    for (let begin = 0; begin < length; begin += span) {
      let largest = 0
      for (let x = begin; x < begin + span; x++) {
        largest = Math.max(largest, line[x] as number)
        fromBegin[x] = largest
      }
      largest = 0
      for (let x = begin + span - 1; x >= begin; x--) {
        largest = Math.max(largest, line[x] as number)
        toEnd[x] = largest
      }
    }
    for (let x = 0; x < width; x++) {
      grown[y * width + x] = Math.max(toEnd[x] as number, fromBegin[x + span - 1] as number)
    }
  }
  return { width, height, data: grown }
}

function transpose({ width, height, data }: Gray): Gray {
  const turned = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + y] = data[y * width + x] as number
  }
  return { width: height, height: width, data: turned }
}

/**
 * Votes of edge pixels for lines (Hough), each for the direction that its own gradient has, a
 * little to both sides.
 */
function findEdges({ width, height, data }: Gray): Edge[] {
  const reach = Math.ceil(Math.hypot(width, height))
  const span = 2 * reach + 1
  const votes = new Float32Array(ANGLES * span)
  const directions = Array.from({ length: ANGLES }, (_, angle) => ({
    nx: Math.cos((angle * 2 * Math.PI) / ANGLES),
    ny: Math.sin((angle * 2 * Math.PI) / ANGLES),
  }))
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const p = y * width + x
      const at = (dx: number, dy: number): number => data[p + dy * width + dx] as number
      const gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
      const gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
      const strength = Math.hypot(gx, gy) / 4
      if (strength < 8) continue
      const angle = Math.round((Math.atan2(gy, gx) * ANGLES) / (2 * Math.PI))
      for (let turn = -4; turn <= 4; turn++) {
        const bin = (angle + turn + 2 * ANGLES) % ANGLES
        const { nx, ny } = directions[bin] as { nx: number; ny: number }
        const at = bin * span + reach + Math.round((x + 0.5) * nx + (y + 0.5) * ny)
        votes[at] = (votes[at] as number) + Math.min(strength, 30)
      }
    }
  }
  const edges: Edge[] = []
  const least = 30 * 0.12 * Math.min(width, height)
  while (edges.length < 18) {
    let best = 0
    for (let k = 1; k < votes.length; k++) {
      if ((votes[k] as number) > (votes[best] as number)) best = k
    }
    if ((votes[best] as number) < least) break
    const [bin, offset] = [Math.floor(best / span), best % span]
    const { nx, ny } = directions[bin] as { nx: number; ny: number }
    edges.push({ nx, ny, distance: offset - reach, isBorder: false })
    // Nearly the same line is not checked again.
    for (let turn = -7; turn <= 7; turn++) {
      const line = ((bin + turn + ANGLES) % ANGLES) * span
      const near = Math.round(4 + Math.abs(turn) * 0.02 * reach)
      votes.fill(0, line + Math.max(0, offset - near), line + Math.min(span, offset + near + 1))
    }
  }
  return edges
}

function intersectEdges(one: Edge, other: Edge): Point {
  const determinant = one.nx * other.ny - one.ny * other.nx
  return {
    x: (one.distance * other.ny - other.distance * one.ny) / determinant,
    y: (other.distance * one.nx - one.distance * other.nx) / determinant,
  }
}

function cornersOf([top, right, bottom, left]: readonly [Edge, Edge, Edge, Edge]): Quad {
  return [
    intersectEdges(left, top),
    intersectEdges(top, right),
    intersectEdges(right, bottom),
    intersectEdges(bottom, left),
  ]
}

/** Returns the part of the side between two corners that is brighter inside than outside. */
function measureSupport({ width, height, data }: Gray, edge: Edge, from: Point, to: Point): number {
  let seen = 0
  let good = 0
  const steps = Math.max(8, Math.round(Math.hypot(to.x - from.x, to.y - from.y) / 3))
  const level = (x: number, y: number): number => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    if (column < 0 || row < 0 || column >= width || row >= height) return -1
    return data[row * width + column] as number
  }
  for (let step = 1; step < steps; step++) {
    const x = from.x + ((to.x - from.x) * step) / steps
    const y = from.y + ((to.y - from.y) * step) / steps
    const inside = level(x + edge.nx * 3.5, y + edge.ny * 3.5)
    const outside = level(x - edge.nx * 3.5, y - edge.ny * 3.5)
    if (inside < 0 || outside < 0) continue
    seen += 1
    if (inside - outside >= LEAST_STEP) good += 1
  }
  return seen < steps * 0.4 ? 0 : good / seen
}

interface Candidate {
  quad: Quad
  score: number
  sides: readonly [Edge, Edge, Edge, Edge]
}

/**
 * Rates the quadrilateral of four edges, clockwise from the upper one; null if it is not a page.
 */
function rateOutline(gray: Gray, sides: readonly [Edge, Edge, Edge, Edge]): Candidate | null {
  const quad = cornersOf(sides)
  const slack = 0.12 * Math.max(gray.width, gray.height)
  let area = 0
  for (const [index, corner] of quad.entries()) {
    const next = quad[(index + 1) % 4] as Point
    const after = quad[(index + 2) % 4] as Point
    if (!(corner.x > -slack && corner.x < gray.width + slack)) return null
    if (!(corner.y > -slack && corner.y < gray.height + slack)) return null
    area += (corner.x * next.y - next.x * corner.y) / 2
    const [ax, ay, bx, by] = [
      next.x - corner.x,
      next.y - corner.y,
      after.x - next.x,
      after.y - next.y,
    ]
    const sine = (ax * by - ay * bx) / (Math.hypot(ax, ay) * Math.hypot(bx, by))
    if (!(sine > 0.82)) return null
  }
  const part = area / (gray.width * gray.height)
  if (part < LEAST_AREA) return null
  let score = 0
  let found = 0
  let length = 0
  for (const [index, edge] of sides.entries()) {
    const [from, to] = [quad[index] as Point, quad[(index + 1) % 4] as Point]
    const side = Math.hypot(to.x - from.x, to.y - from.y)
    const support = edge.isBorder ? 0.3 : measureSupport(gray, edge, from, to)
    if (!edge.isBorder && support < LEAST_SUPPORT) return null
    if (!edge.isBorder) found += 1
    score += support * side
    length += side
  }
  if (found < 3) return null
  return { quad, score: (score / length) * (0.5 + Math.min(part, 0.8)), sides }
}

/** Fits a line through most of the points repeatedly, with decreasing weight of distant ones. */
function fitEdge(points: readonly Point[], edge: Edge): Edge {
  let { nx, ny, distance } = edge
  for (const reach of [8, 4, 2, 1, 1]) {
    let [sum, sx, sy, sxx, sxy, syy] = [0, 0, 0, 0, 0, 0]
    for (const { x, y } of points) {
      const off = (x * nx + y * ny - distance) / reach
      const weight = 1 / (1 + off * off) ** 2
      sum += weight
      sx += weight * x
      sy += weight * y
      sxx += weight * x * x
      sxy += weight * x * y
      syy += weight * y * y
    }
    const [cx, cy] = [sx / sum, sy / sum]
    const [vxx, vxy, vyy] = [sxx / sum - cx * cx, sxy / sum - cx * cy, syy / sum - cy * cy]
    const along = Math.atan2(2 * vxy, vxx - vyy) / 2
    const [fx, fy] = [-Math.sin(along), Math.cos(along)]
    const sign = fx * nx + fy * ny < 0 ? -1 : 1
    ;[nx, ny] = [fx * sign, fy * sign]
    distance = cx * nx + cy * ny
  }
  return { ...edge, nx, ny, distance }
}

/**
 * Moves a side to the largest change of brightness, in a picture whose sides are `by` times those
 * of the first.
 */
function refineEdge(gray: Gray, edge: Edge, from: Point, to: Point, by: number): Edge {
  const scaled = { ...edge, distance: edge.distance * by }
  if (edge.isBorder) return scaled
  const { width, height, data } = gray
  const points: Point[] = []
  const reach = Math.ceil(3 * by)
  const steps = 160
  for (let step = 4; step <= steps - 4; step++) {
    const x = (from.x + ((to.x - from.x) * step) / steps) * by
    const y = (from.y + ((to.y - from.y) * step) / steps) * by
    const level = (far: number): number => {
      const column = Math.floor(x + edge.nx * far)
      const row = Math.floor(y + edge.ny * far)
      if (column < 0 || row < 0 || column >= width || row >= height) return Number.NaN
      return data[row * width + column] as number
    }
    let best = LEAST_STEP
    let position = Number.NaN
    for (let far = -reach; far <= reach; far += 0.5) {
      const rise = level(far + 1) + level(far + 2) - level(far - 1) - level(far - 2)
      if (rise / 2 > best) {
        best = rise / 2
        position = far
      }
    }
    if (!Number.isNaN(position))
      points.push({ x: x + edge.nx * position, y: y + edge.ny * position })
  }
  return points.length < steps * 0.3 ? scaled : fitEdge(points, scaled)
}

/**
 * Returns the four corners of a sheet of paper on a darker ground, in a picture of whiteness (some
 * 1200 pixels); the first is the upper left one. Null unless three sides are certain.
 */
export function findPageOutline(whiteness: Gray): Quad | null {
  const by = Math.max(whiteness.width, whiteness.height) / SEARCH_SIZE
  const small = resizeGray(
    whiteness,
    Math.round(whiteness.width / by),
    Math.round(whiteness.height / by),
  )
  const best = searchPage(closeDark(small, 4))
  if (!best) return null
  const sides = best.sides.map((edge, index) =>
    refineEdge(whiteness, edge, best.quad[index] as Point, best.quad[(index + 1) % 4] as Point, by),
  )
  return cornersOf(sides as [Edge, Edge, Edge, Edge])
}

function searchPage(gray: Gray): Candidate | null {
  const { width, height } = gray
  const edges: Edge[] = [
    ...findEdges(gray),
    { nx: 0, ny: 1, distance: 0, isBorder: true },
    { nx: -1, ny: 0, distance: -width, isBorder: true },
    { nx: 0, ny: -1, distance: -height, isBorder: true },
    { nx: 1, ny: 0, distance: 0, isBorder: true },
  ]
  const facing = (nx: number, ny: number): Edge[] =>
    edges.filter((edge) => edge.nx * nx + edge.ny * ny > 0.72)
  let best: Candidate | null = null
  const [downward, leftward, upward, rightward] = [
    facing(0, 1),
    facing(-1, 0),
    facing(0, -1),
    facing(1, 0),
  ]
  for (const top of downward) {
    for (const bottom of upward) {
      if (top.nx * bottom.nx + top.ny * bottom.ny > -0.85) continue
      for (const left of rightward) {
        for (const right of leftward) {
          if (left.nx * right.nx + left.ny * right.ny > -0.85) continue
          const candidate = rateOutline(gray, [top, right, bottom, left])
          if (candidate && candidate.score > (best?.score ?? 0)) best = candidate
        }
      }
    }
  }
  return best
}
