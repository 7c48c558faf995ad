import { DAY_MS } from '../../../../time-units.ts'

/** Fields of a point that a chart needs. */
export interface ChartPoint {
  /** A day, as YYYY-MM-DD. */
  date: string
  value: number
  min_range_value: number | null
  max_range_value: number | null
  interpretation: string
}

/** Returns whether all results have one unit and need no conversion. */
export const hasOneUnit = (results: readonly { ucum_unit: string | null }[]): boolean =>
  new Set(results.map(({ ucum_unit: unit }) => unit)).size === 1

export interface Scale {
  x: (date: string) => number
  y: (value: number) => number
  /** The smallest and the largest value of the chart. */
  least: number
  most: number
}

/** Maps days and values to positions in a chart, with room for intervals around the values. */
export function makeScale(
  points: readonly ChartPoint[],
  area: { left: number; right: number; top: number; bottom: number },
): Scale {
  const days = points.map(({ date }) => Date.parse(date))
  const first = Math.min(...days)
  const span = Math.max(Math.max(...days) - first, DAY_MS)
  const isSingle = days.every((day) => day === first)
  const shown = points.flatMap(({ value, min_range_value: low, max_range_value: high }) =>
    [value, low, high].filter((each) => each !== null),
  )
  const margin = (Math.max(...shown) - Math.min(...shown) || Math.abs(shown[0] ?? 1) || 1) * 0.1
  // Laboratory values are not negative, unless one is.
  const floor = Math.min(...shown) >= 0 ? 0 : Number.NEGATIVE_INFINITY
  const least = Math.max(Math.min(...shown) - margin, floor)
  const most = Math.max(...shown) + margin
  const width = area.right - area.left
  return {
    x: (date) => {
      if (isSingle) return area.left + width / 2
      return area.left + ((Date.parse(date) - first) / span) * width
    },
    y: (value) => area.bottom - ((value - least) / (most - least)) * (area.bottom - area.top),
    least,
    most,
  }
}

/** Returns about so many round values between two others. */
export function listTicks(least: number, most: number, count: number): number[] {
  const rough = (most - least) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let tick = Math.ceil(least / step) * step; tick <= most; tick += step) {
    ticks.push(Number(tick.toPrecision(10)))
  }
  return ticks
}
