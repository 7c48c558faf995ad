import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { formatOffset, formatTime } from '../local-time.ts'
import { chartListQuery } from '../person-queries.ts'

/** Lists changes of the person's local time, by travel or daylight saving time. */
export function LocalTimes({ userId }: { userId: string }): ReactNode {
  const { data } = useSuspenseQuery(chartListQuery(useEnvironment(), userId))
  const times = data.local_times
  return (
    <Section
      title="Time zones"
      description="The local times of the person, derived from all data. Days and times below are local."
    >
      {times.length === 0 && (
        <p className="quiet local-times-none">The data contain no local times.</p>
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
