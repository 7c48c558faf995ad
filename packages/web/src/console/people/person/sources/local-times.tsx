import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { formatOffset, formatTime } from '../local-time.ts'
import { chartListQuery } from '../person-queries.ts'

/** When the person's clock was set to another time, by a journey or by summer time. */
export function LocalTimes({ userId }: { userId: string }): ReactNode {
  const { data } = useSuspenseQuery(chartListQuery(useEnvironment(), userId))
  const times = data.local_times
  return (
    <Section
      title="Time zones"
      description="What the person's clock was set to, as all data together say. Days and the times below are those of this clock."
    >
      {times.length === 0 && (
        <p className="quiet local-times-none">No data say where they were recorded.</p>
      )}
      <ol className="local-times">
        {times.toReversed().map((time, index, all) => (
          <li key={time.from}>
            <strong>{formatOffset(time.timezone_offset)}</strong>
            <span>
              {index === all.length - 1 ? 'at first, from ' : 'since '}
              <time dateTime={time.from}>{formatTime(time.from, time.timezone_offset)}</time>
            </span>
            {index < all.length - 1 && (
              <StatusBadge tone={time.is_journey ? 'info' : 'neutral'}>
                {time.is_journey ? 'journey' : 'clock changed'}
              </StatusBadge>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
