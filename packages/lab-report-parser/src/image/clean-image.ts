import type { Homography, Raster } from '../pages/page.ts'
import type { Recognizer } from '../recognition/recognizer.ts'
import { resizeGray, toGray, toWhiteness, warpGray } from './gray.ts'
import {
  composeMaps,
  IDENTITY,
  mapQuad,
  moveMap,
  type Quad,
  rectangleQuad,
  rotateMap,
  scaleMap,
} from './homography.ts'
import { evenLighting, isEvenlyLit, measureLighting } from './lighting.ts'
import { findPageOutline } from './page-outline.ts'
import { removeSpecks } from './specks.ts'
import { findTextDirection, type LineShape, type TextDirection } from './text-direction.ts'
import { isUpsideDown, turnRound } from './upside-down.ts'
import { shrinkRaster, warpRaster } from './warp.ts'

export interface ImageQuality {
  /** Height of letters in pixels of the given picture; 0 without text. */
  letterHeight: number
  /** Number of shapes that look like letters. */
  letters: number
}

export interface CleanedImage {
  raster: Raster
  /** Maps a pixel of the cleaned picture to the pixel of the given one. */
  toSource: Homography
  quality: ImageQuality
}

/** A part of the source, seen straight, with its size in pixels of the source. */
interface Frame {
  toSource: Homography
  width: number
  height: number
}

/** Longer side of the pictures in which outlines and text are measured. */
const OUTLINE_SIZE = 1200
const TEXT_SIZE = 1600
/** Height of (mostly small) letters that a recognizer reads well, in pixels. */
const LEAST_LETTER_HEIGHT = 9
const MOST_LETTER_HEIGHT = 34
const GOOD_LETTER_HEIGHT = 20
/** Largest size to which pictures are enlarged. */
const MOST_PIXELS = 9e6
/** Smallest skew in degrees that is corrected. */
const LEAST_SKEW = 0.12
/**
 * Ratio of evidence for the two ways up: below the first a page is not turned, below the second it
 * is checked.
 */
const LEAST_TURN_EVIDENCE = 1.02
const SURE_EVIDENCE = 1.08

function limitSize(width: number, height: number, most: number): number {
  return Math.min(1, most / Math.max(width, height))
}

/**
 * Returns the page in a photo, or the whole picture where no page is certain or it is already
 * straight.
 */
function findFrame(raster: Raster): Frame {
  const { width, height } = raster
  const whole = { toSource: IDENTITY, width, height }
  const by = limitSize(width, height, OUTLINE_SIZE)
  const whiteness = toWhiteness(raster)
  const quad = findPageOutline(
    by < 1 ? resizeGray(whiteness, Math.round(width * by), Math.round(height * by)) : whiteness,
  )
  if (!quad || isUpright(quad)) return whole
  const corners = quad.map(({ x, y }) => ({ x: x / by, y: y / by })) as unknown as Quad
  const side = (one: number, other: number): number => {
    const [from, to] = [corners[one as 0], corners[other as 0]]
    return Math.hypot(to.x - from.x, to.y - from.y)
  }
  const size = {
    width: Math.round((side(0, 1) + side(3, 2)) / 2),
    height: Math.round((side(0, 3) + side(1, 2)) / 2),
  }
  return { ...size, toSource: mapQuad(rectangleQuad(size.width, size.height), corners) }
}

/** Level and plumb sides are printed or drawn, and need no correction. */
function isUpright([p, q, r, s]: Quad): boolean {
  const most = Math.tan((0.25 * Math.PI) / 180)
  const isLevel = (one: typeof p, other: typeof p): boolean =>
    Math.abs(one.y - other.y) < most * Math.abs(one.x - other.x)
  const isPlumb = (one: typeof p, other: typeof p): boolean =>
    Math.abs(one.x - other.x) < most * Math.abs(one.y - other.y)
  return isLevel(p, q) && isLevel(s, r) && isPlumb(p, s) && isPlumb(q, r)
}

/** Turns a frame by quarters clockwise. */
function turnFrame(frame: Frame, quarterTurns: number): Frame {
  if (quarterTurns === 0) return frame
  const { width, height } = frame
  const isSideways = quarterTurns % 2 === 1
  const size = { width: isSideways ? height : width, height: isSideways ? width : height }
  const back = composeMaps(
    moveMap(width / 2, height / 2),
    composeMaps(rotateMap(-90 * quarterTurns), moveMap(-size.width / 2, -size.height / 2)),
  )
  return { ...size, toSource: composeMaps(frame.toSource, cleanMap(back)) }
}

/** Sines and cosines of quarter turns are not quite 0 and 1. */
function cleanMap(map: Homography): Homography {
  return map.map((cell) => Math.round(cell * 1e6) / 1e6) as unknown as Homography
}

/** Levels lines of text; the measurements are of a picture `by` times the frame. */
function levelFrame(frame: Frame, lines: LineShape, by: number): Frame {
  const { width, height } = frame
  const [slope, fan] = [lines.slope / by, lines.fan / by]
  const degrees = (Math.atan(slope / width) * 180) / Math.PI
  if (Math.abs(degrees) < LEAST_SKEW && Math.abs(fan) < 0.004 * width) return frame
  // Ends of the upper and of the lower side, as lines of text there go.
  const middle = lines.middle / by
  const at = (y: number, u: number): number => y + fan * u * ((y - middle) / height)
  const fanned = mapQuad(rectangleQuad(width, height), [
    { x: 0, y: at(0, -0.5) },
    { x: width, y: at(0, 0.5) },
    { x: width, y: at(height, 0.5) },
    { x: 0, y: at(height, -0.5) },
  ])
  const around = (map: Homography, w: number, h: number): Homography =>
    composeMaps(moveMap(width / 2, height / 2), composeMaps(map, moveMap(-w / 2, -h / 2)))
  // The whole frame stays visible.
  const radians = Math.abs((degrees * Math.PI) / 180)
  const size = {
    width: Math.ceil(width * Math.cos(radians) + height * Math.sin(radians)),
    height: Math.ceil(height * Math.cos(radians) + width * Math.sin(radians)),
  }
  const turned = around(rotateMap(degrees), size.width, size.height)
  return { ...size, toSource: composeMaps(frame.toSource, composeMaps(fanned, turned)) }
}

/**
 * Returns the factor by which letters must be enlarged for a recognizer; 1 where they are large
 * enough.
 */
function chooseScale({ width, height }: Frame, letterHeight: number): number {
  const isFine = letterHeight >= LEAST_LETTER_HEIGHT && letterHeight <= MOST_LETTER_HEIGHT
  const wanted = letterHeight === 0 || isFine ? 1 : GOOD_LETTER_HEIGHT / letterHeight
  return Math.min(wanted, 3, Math.sqrt(MOST_PIXELS / (width * height)))
}

/** Returns the color of most of the brighter part of a picture, for the area outside of it. */
function findPaperColor({ paper, columns, rows }: ReturnType<typeof measureLighting>) {
  const middle = (channel: number): number => {
    const levels = Array.from(
      { length: columns * rows },
      (_, k) => paper[k * 3 + channel] as number,
    )
    return levels.sort((one, other) => one - other)[levels.length >> 1] as number
  }
  return [middle(0), middle(1), middle(2)] as const
}

/**
 * Prepares a picture of a page for recognition: the page of a photo is cut out and straightened,
 * turned upright, its lines levelled, its letters scaled, its paper whitened and cleaned of dust. A
 * picture that needs none of that is returned unchanged. The recognizer decides the way up if the
 * picture was turned, or its letters do not show it.
 */
export async function cleanImage(raster: Raster, recognizer?: Recognizer): Promise<CleanedImage> {
  const { frame, direction, letterHeight } = findText(raster)
  const scale = chooseScale(frame, letterHeight)
  const straight = straighten(raster, frame, scale)
  const cleaned = { ...straight, raster: removeSpecks(straight.raster, letterHeight * scale) }
  const quality = { letterHeight, letters: direction.letters }
  // Lines of capitals mislead: a turned page is always checked, an upright one only if there is
  // little evidence for it.
  const isDoubtful =
    direction.letters > 0 && (direction.quarterTurns !== 0 || direction.upright < SURE_EVIDENCE)
  const isTurned =
    recognizer !== undefined &&
    isDoubtful &&
    letterHeight > 0 &&
    (await isUpsideDown(cleaned.raster, letterHeight * scale, recognizer))
  if (!isTurned) return { ...cleaned, quality }
  const { width, height } = cleaned.raster
  return {
    raster: turnRound(cleaned.raster),
    toSource: composeMaps(cleaned.toSource, [-1, 0, width, 0, -1, height, 0, 0, 1]),
    quality,
  }
}

/** Returns the frame in which the text of a picture is straight, with its measures. */
function findText(raster: Raster): {
  frame: Frame
  direction: TextDirection
  letterHeight: number
} {
  const framed = findFrame(raster)
  const by = limitSize(framed.width, framed.height, TEXT_SIZE)
  const gray = toGray(raster)
  const [width, height] = [Math.round(framed.width * by), Math.round(framed.height * by)]
  const isWhole = framed.toSource === IDENTITY
  const small = !isWhole
    ? warpGray(gray, composeMaps(framed.toSource, scaleMap(1 / by, 1 / by)), width, height)
    : by < 1
      ? resizeGray(gray, width, height)
      : gray
  const found = findTextDirection(small)
  const direction =
    found.quarterTurns === 2 && found.upright < LEAST_TURN_EVIDENCE
      ? { ...found, quarterTurns: 0 as const, lines: { ...found.lines, fan: 0 } }
      : found
  const frame = levelFrame(turnFrame(framed, direction.quarterTurns), direction.lines, by)
  return { frame, direction, letterHeight: direction.letterHeight / by }
}

function straighten(
  raster: Raster,
  frame: Frame,
  scale: number,
): { raster: Raster; toSource: Homography } {
  const before = measureLighting(raster)
  if (frame.toSource === IDENTITY && scale === 1) {
    const even = isEvenlyLit(before) ? raster : evenLighting(raster, before)
    return { raster: even, toSource: IDENTITY }
  }
  const size = {
    width: Math.round(frame.width * scale),
    height: Math.round(frame.height * scale),
  }
  const toSource = composeMaps(
    frame.toSource,
    scaleMap(frame.width / size.width, frame.height / size.height),
  )
  const shrinkBy = Math.max(1, Math.floor(1 / scale + 0.2))
  const straight = warpRaster(
    shrinkRaster(raster, shrinkBy),
    composeMaps(scaleMap(1 / shrinkBy, 1 / shrinkBy), toSource),
    size,
    findPaperColor(before),
  )
  const lighting = measureLighting(straight)
  return {
    raster: isEvenlyLit(lighting) ? straight : evenLighting(straight, lighting),
    toSource,
  }
}
