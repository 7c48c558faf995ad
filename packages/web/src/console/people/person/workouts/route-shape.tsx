import type { ReactNode } from 'react'
import type { RoutePoint } from './route.ts'

const SIZE = 100
const MARGIN = 6
/** More points cannot be distinguished. */
const MOST_POINTS = 1_500

/**
 * Shows the shape of a route without a map: positions are not sent anywhere, and cannot be read
 * from the drawing.
 */
export function RouteShape({ route }: { route: readonly RoutePoint[] }): ReactNode {
  const points = toPlane(route)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <figure className="route">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label="Shape of the route, north above">
        <polyline points={points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ')} />
        <circle cx={first[0]} cy={first[1]} r={2.4} className="route-start" />
        <circle cx={last[0]} cy={last[1]} r={2.4} className="route-end" />
      </svg>
      <figcaption>
        <span className="route-key" data-of="start">
          Start
        </span>
        <span className="route-key" data-of="end">
          End
        </span>
      </figcaption>
    </figure>
  )
}

/**
 * Projects degrees to a drawing: north above, both directions in the same scale, as large as it can
 * be.
 */
function toPlane(route: readonly RoutePoint[]): [x: number, y: number][] {
  const step = Math.max(1, Math.ceil(route.length / MOST_POINTS))
  const kept = route.filter((_, index) => index % step === 0 || index === route.length - 1)
  const narrowing = Math.cos(((kept[0]?.latitude ?? 0) * Math.PI) / 180)
  const xs = kept.map(({ longitude }) => longitude * narrowing)
  const ys = kept.map(({ latitude }) => -latitude)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const scale = (SIZE - 2 * MARGIN) / Math.max(width, height, 1e-9)
  const place = (value: number, from: number, extent: number): number =>
    (value - from) * scale + (SIZE - extent * scale) / 2
  return kept.map((_, index) => [
    place(xs[index] as number, left, width),
    place(ys[index] as number, top, height),
  ])
}
