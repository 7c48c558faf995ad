import type { Homography } from '../pages/page.ts'

// Projective maps of the plane. Coordinates are continuous: the pixel in the upper left corner
// reaches from 0,0 to 1,1.

export interface Point {
  x: number
  y: number
}

export const IDENTITY: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1]

export function mapPoint(map: Homography, x: number, y: number): Point {
  const w = map[6] * x + map[7] * y + map[8]
  return {
    x: (map[0] * x + map[1] * y + map[2]) / w,
    y: (map[3] * x + map[4] * y + map[5]) / w,
  }
}

/** Returns the map that applies the second one first, and then the first one. */
export function composeMaps(last: Homography, first: Homography): Homography {
  const cell = (row: 0 | 3 | 6, column: 0 | 1 | 2): number =>
    last[row] * first[column] +
    last[(row + 1) as 1 | 4 | 7] * first[(column + 3) as 3 | 4 | 5] +
    last[(row + 2) as 2 | 5 | 8] * first[(column + 6) as 6 | 7 | 8]
  return [
    cell(0, 0),
    cell(0, 1),
    cell(0, 2),
    cell(3, 0),
    cell(3, 1),
    cell(3, 2),
    cell(6, 0),
    cell(6, 1),
    cell(6, 2),
  ]
}

export function invertMap([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  const by = 1 / determinant
  return [
    (e * i - f * h) * by,
    (c * h - b * i) * by,
    (b * f - c * e) * by,
    (f * g - d * i) * by,
    (a * i - c * g) * by,
    (c * d - a * f) * by,
    (d * h - e * g) * by,
    (b * g - a * h) * by,
    (a * e - b * d) * by,
  ]
}

export function scaleMap(x: number, y: number): Homography {
  return [x, 0, 0, 0, y, 0, 0, 0, 1]
}

export function moveMap(x: number, y: number): Homography {
  return [1, 0, x, 0, 1, y, 0, 0, 1]
}

/** Turns about the origin, clockwise as one sees it on a page. */
export function rotateMap(degrees: number): Homography {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [cos, -sin, 0, sin, cos, 0, 0, 0, 1]
}

/** Four corners: upper left, upper right, lower right, lower left. */
export type Quad = readonly [Point, Point, Point, Point]

export function rectangleQuad(width: number, height: number): Quad {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ]
}

/** Returns the map of the unit square to four corners. */
function mapUnitSquare([p, q, r, s]: Quad): Homography {
  const [dx1, dx2, dx3] = [q.x - r.x, s.x - r.x, p.x - q.x + r.x - s.x]
  const [dy1, dy2, dy3] = [q.y - r.y, s.y - r.y, p.y - q.y + r.y - s.y]
  const determinant = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / determinant
  const h = (dx1 * dy3 - dx3 * dy1) / determinant
  return [
    q.x - p.x + g * q.x,
    s.x - p.x + h * s.x,
    p.x,
    q.y - p.y + g * q.y,
    s.y - p.y + h * s.y,
    p.y,
    g,
    h,
    1,
  ]
}

/** Returns the map of each corner of one quadrilateral to the same corner of another. */
export function mapQuad(from: Quad, to: Quad): Homography {
  return composeMaps(mapUnitSquare(to), invertMap(mapUnitSquare(from)))
}
