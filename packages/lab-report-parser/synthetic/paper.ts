import { invertMap, mapPoint } from '../src/image/homography.ts'
import type { Homography, Raster } from '../src/pages/page.ts'
import type { Random } from './random.ts'

// Surroundings, paper and light of a photographed page.

export const TABLES = {
  wood: [122, 84, 52],
  dark: [58, 58, 64],
  cloth: [96, 108, 134],
  light: [176, 170, 160],
} as const satisfies Record<string, readonly [number, number, number]>

/** Creates smooth noise: random heights from 0 to 1 on a grid, interpolated between its points. */
function createTexture(
  random: Random,
  across: number,
  down: number,
): (x: number, y: number) => number {
  const grid = Float32Array.from({ length: (across + 1) * (down + 1) }, () => random.next())
  return (x, y) => {
    const [gx, gy] = [Math.min(x, 0.9999) * across, Math.min(y, 0.9999) * down]
    const [left, top] = [Math.floor(gx), Math.floor(gy)]
    const [fx, fy] = [gx - left, gy - top]
    const at = top * (across + 1) + left
    const up = (grid[at] as number) * (1 - fx) + (grid[at + 1] as number) * fx
    const low =
      (grid[at + across + 1] as number) * (1 - fx) + (grid[at + across + 2] as number) * fx
    return up * (1 - fy) + low * fy
  }
}

export function layTable(
  raster: Raster,
  toPage: Homography,
  page: Raster,
  color: readonly [number, number, number],
  kind: keyof typeof TABLES,
  random: Random,
): void {
  const grain = createTexture(random, kind === 'wood' ? 3 : 60, kind === 'wood' ? 90 : 60)
  const wide = createTexture(random, 4, 4)
  const strength = kind === 'dark' ? 0.3 : 0.5
  const { width, height, data } = raster
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const { x: px, y: py } = mapPoint(toPage, x + 0.5, y + 0.5)
      if (px >= 0 && py >= 0 && px <= page.width && py <= page.height) continue
      // The paper lies a little above the table, so there is a shadow beside it.
      const outside = Math.max(-px, -py, px - page.width, py - page.height) / page.width
      const near = Math.min(1, 0.6 + outside * 40)
      const tone = 1 + strength * (grain(x / width, y / height) - 0.5)
      const by = near * (tone + 0.3 * (wide(x / width, y / height) - 0.5))
      for (let channel = 0; channel < 3; channel++) {
        data[(y * width + x) * 3 + channel] = Math.min(255, (color[channel] as number) * by)
      }
    }
  }
}

/** A fold is a bright line beside a dark one, across the whole page. */
export function crease(page: Raster, count: number, random: Random): Raster {
  if (count === 0) return page
  const { width, height } = page
  const data = page.data.slice()
  for (let fold = 0; fold < count; fold++) {
    const isLevel = random.chance(0.6)
    const at = random.between(0.25, 0.75) * (isLevel ? height : width)
    const slope = random.between(-0.02, 0.02)
    const reach = 0.004 * height
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const distance = isLevel ? y - at - slope * x : x - at - slope * y
        if (Math.abs(distance) > reach * 3) continue
        const by =
          1 - 0.22 * Math.sin((Math.PI * distance) / (reach * 3)) * (distance > 0 ? 1 : -0.2)
        for (let channel = 0; channel < 3; channel++) {
          const p = (y * width + x) * 3 + channel
          data[p] = Math.min(255, (data[p] as number) * by)
        }
      }
    }
  }
  return { width, height, data }
}

export function addFinger(raster: Raster, toPage: Homography, page: Raster, random: Random): void {
  const side = random.whole(0, 2)
  const along = random.between(0.3, 0.9)
  const place = invertMap(toPage)
  const [x, y] = [
    side === 0 ? 0 : side === 1 ? page.width : along * page.width,
    side === 2 ? page.height : along * page.height,
  ]
  const centre = mapPoint(place, x, y)
  const radius = raster.width * random.between(0.03, 0.05)
  const { width, height, data } = raster
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [dx, dy] = [column - centre.x, row - centre.y]
      // The ellipse is longer outwards: a finger reaches in from outside the page.
      const far =
        side === 2
          ? Math.hypot(dx, dy > 0 ? dy / 4 : dy)
          : Math.hypot(dx * (side === 0 ? (dx < 0 ? 0.25 : 1) : dx > 0 ? 0.25 : 1), dy)
      if (far > radius) continue
      const shade = 1 - 0.35 * (far / radius) ** 2
      const p = (row * width + column) * 3
      data[p] = 214 * shade
      data[p + 1] = 160 * shade
      data[p + 2] = 132 * shade
    }
  }
}
