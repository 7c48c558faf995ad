import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneOffsets } from '../time/zone-offset.ts'
import { fallbackZoneParameters } from './local-time-sql.ts'

const ZONES = ['UTC', 'Europe/Vienna', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata']

/** The offset that fallbackOffsetSql finds: that of the last instant before, or of the first. */
function offsetAt({ instants, offsets }: { instants: number[]; offsets: number[] }, at: number) {
  return offsets[
    Math.max(
      instants.findLastIndex((instant) => instant <= at),
      0,
    )
  ]
}

test('the offsets of a range are those of the whole zone, at its ends and between them', () => {
  const year = (value: number) => Date.UTC(value, 0, 1)
  const instant = fc.integer({ min: year(1899), max: year(2301) })
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.tuple(instant, instant),
      instant,
      (zone, ends, at) => {
        const [from = 0, to = 0] = ends.toSorted((a, b) => a - b)
        const whole = zoneOffsets(zone)
        const changes = whole.instants.filter((change) => change >= from && change <= to)
        const part = fallbackZoneParameters(zone, { from, to })
        const { fallbackInstants, fallbackOffsets } = part as Record<string, number[]>
        const sent = { instants: fallbackInstants ?? [], offsets: fallbackOffsets ?? [] }
        const inside = [from, to, ...changes, ...changes.map((change) => change - 1), at]
        for (const time of inside.filter((time) => time >= from && time <= to)) {
          assert.equal(offsetAt(sent, time), offsetAt(whole, time), `${zone} at ${time}`)
        }
        assert.ok(sent.instants.length <= changes.length + 1)
      },
    ),
    { seed: 121 },
  )
})
