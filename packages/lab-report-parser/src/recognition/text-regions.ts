// From the map of a DB text detector (Liao et al., "Real-time Scene Text Detection with
// Differentiable Binarization", 2020) to rectangles: threshold, connected components, smallest
// rectangle, growth.

/** A rectangle turned by `angle` radians about its centre; `width` runs along the text. */
export interface TextRegion {
  x: number
  y: number
  width: number
  height: number
  angle: number
  /** Mean of the detector's map within, 0 to 1. */
  score: number
}

interface Point {
  x: number
  y: number
}

export interface RegionOptions {
  /** From which value on a pixel is text. */
  threshold: number
  /** From which mean on a component is text. */
  minimumScore: number
  /**
   * The detector is trained on shrunken text: a rectangle grows by area × growth / perimeter on
   * each side.
   */
  growth: number
}

/**
 * Rectangles around the text of a detector's map.
 *
 * @param map probability of text per pixel, row by row
 */
export function findTextRegions(
  map: Float32Array,
  width: number,
  height: number,
  options: RegionOptions,
): TextRegion[] {
  const regions: TextRegion[] = []
  for (const component of findComponents(map, width, height, options.threshold)) {
    if (component.bottom - component.top < 2 && component.right - component.left < 2) continue
    const score = component.sum / component.count
    if (score < options.minimumScore) continue
    const rectangle = smallestRectangle(component.outline)
    const margin =
      (rectangle.width * rectangle.height * options.growth) /
      (2 * (rectangle.width + rectangle.height))
    regions.push({
      ...rectangle,
      width: rectangle.width + 2 * margin,
      height: rectangle.height + 2 * margin,
      score,
    })
  }
  return regions
}

interface Component {
  sum: number
  count: number
  left: number
  right: number
  top: number
  bottom: number
  /** Corners of the ends of its runs: all its hull needs. */
  outline: Point[]
}

/** Joins runs of text pixels that touch, diagonally too. */
function findComponents(
  map: Float32Array,
  width: number,
  height: number,
  threshold: number,
): Component[] {
  const parents: number[] = []
  const runs: { y: number; start: number; end: number; sum: number }[] = []
  let previousRow: number[] = []
  for (let y = 0; y < height; y++) {
    const row: number[] = []
    let candidate = 0
    for (let x = 0; x < width; x++) {
      if (map[y * width + x]! <= threshold) continue
      const start = x
      let sum = 0
      for (; x < width && map[y * width + x]! > threshold; x++) sum += map[y * width + x]!
      const run = runs.length
      runs.push({ y, start, end: x, sum })
      parents.push(run)
      row.push(run)
      while (candidate < previousRow.length && runs[previousRow[candidate]!]!.end < start) {
        candidate++
      }
      for (let above = candidate; above < previousRow.length; above++) {
        if (runs[previousRow[above]!]!.start > x) break
        parents[findRoot(parents, run)] = findRoot(parents, previousRow[above]!)
      }
    }
    previousRow = row
  }
  const components = new Map<number, Component>()
  runs.forEach((run, index) => {
    const root = findRoot(parents, index)
    let component = components.get(root)
    if (!component) {
      component = {
        sum: 0,
        count: 0,
        left: run.start,
        right: run.end,
        top: run.y,
        bottom: run.y + 1,
        outline: [],
      }
      components.set(root, component)
    }
    component.sum += run.sum
    component.count += run.end - run.start
    component.left = Math.min(component.left, run.start)
    component.right = Math.max(component.right, run.end)
    component.bottom = run.y + 1
    for (const x of [run.start, run.end]) {
      component.outline.push({ x, y: run.y }, { x, y: run.y + 1 })
    }
  })
  return [...components.values()]
}

function findRoot(parents: number[], index: number): number {
  let root = index
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]!]!
    root = parents[root]!
  }
  return root
}

/** Returns the rectangle of least area around points: one of its sides lies on the hull. */
function smallestRectangle(points: Point[]): Omit<TextRegion, 'score'> {
  const hull = convexHull(points)
  let best: Omit<TextRegion, 'score'> | undefined
  for (let index = 0; index < hull.length; index++) {
    const from = hull[index]!
    const to = hull[(index + 1) % hull.length]!
    const turned = turnedBounds(hull, nearestToLevel(Math.atan2(to.y - from.y, to.x - from.x)))
    if (!best || turned.width * turned.height < best.width * best.height) best = turned
  }
  return best ?? turnedBounds(points, 0)
}

/** Returns the same direction of a rectangle's side, within 45° of level. */
function nearestToLevel(angle: number): number {
  return angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2)
}

function turnedBounds(points: readonly Point[], angle: number): Omit<TextRegion, 'score'> {
  const cosine = Math.cos(angle)
  const sine = Math.sin(angle)
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const point of points) {
    const along = point.x * cosine + point.y * sine
    const across = point.y * cosine - point.x * sine
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  const along = (left + right) / 2
  const across = (top + bottom) / 2
  return {
    x: along * cosine - across * sine,
    y: along * sine + across * cosine,
    width: right - left,
    height: bottom - top,
    angle,
  }
}

/** Andrew's monotone chain. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of ordered) {
      while (chain.length > 1 && turnDirection(chain.at(-2)!, chain.at(-1)!, point) <= 0)
        chain.pop()
      chain.push(point)
    }
    chain.pop()
    return chain
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

function turnDirection(from: Point, over: Point, to: Point): number {
  return (over.x - from.x) * (to.y - from.y) - (over.y - from.y) * (to.x - from.x)
}
