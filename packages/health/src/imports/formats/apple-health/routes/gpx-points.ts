/** One point of a route. Values that the file lacks are null. */
export interface RoutePoint {
  /** Epoch milliseconds. */
  at: number
  /** Degrees. */
  latitude: number
  longitude: number
  altitudeMeter: number | null
  /** Meters per second, as reported by the receiver. */
  speed: number | null
}

const POINT = /<trkpt\b([^>]*?)(?:\/>|>([\s\S]*?)<\/trkpt\s*>)/g
/** Far more than any point has: a file with a longer one is not GPX. */
const MAX_POINT_LENGTH = 1 << 16

/**
 * Reads the track points of a GPX file as it arrives. A point without a valid place and time is
 * skipped: receivers sometimes write such points.
 */
export async function readGpxPoints(content: AsyncIterable<Uint8Array>): Promise<RoutePoint[]> {
  const decoder = new TextDecoder()
  const points: RoutePoint[] = []
  let rest = ''
  for await (const chunk of content) {
    const text = rest + decoder.decode(chunk, { stream: true })
    let end = 0
    for (const match of text.matchAll(POINT)) {
      end = match.index + match[0].length
      const point = readPoint(match[1] ?? '', match[2] ?? '')
      if (point !== undefined) points.push(point)
    }
    rest = text.slice(Math.max(end, text.length - MAX_POINT_LENGTH))
  }
  return points
}

function readPoint(attributes: string, content: string): RoutePoint | undefined {
  const latitude = numberIn(attributes, /\blat\s*=\s*["']([^"']*)["']/)
  const longitude = numberIn(attributes, /\blon\s*=\s*["']([^"']*)["']/)
  const at = Date.parse(/<time>\s*([^<]*?)\s*<\/time>/.exec(content)?.[1] ?? '')
  if (latitude === null || longitude === null || Number.isNaN(at)) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  return {
    at,
    latitude,
    longitude,
    altitudeMeter: numberIn(content, /<ele>([^<]*)<\/ele>/),
    speed: numberIn(content, /<(?:\w+:)?speed>([^<]*)<\/(?:\w+:)?speed>/),
  }
}

function numberIn(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1]?.trim() ?? ''
  const value = found === '' ? Number.NaN : Number(found)
  return Number.isFinite(value) ? value : null
}
