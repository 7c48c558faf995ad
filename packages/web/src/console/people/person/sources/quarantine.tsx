import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { take } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { providersQuery } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import './quarantine.css'

/** Why an item could not be stored (docs/contract/07-mobile-sync.md#quarantine). */
const REASONS: Record<string, string> = {
  not_an_object: 'It is no object.',
  invalid_value: 'The value is missing or no number.',
  unknown_unit: 'The unit is not one that this kind of data has.',
  invalid_start_date: 'The beginning is missing or no time.',
  invalid_end_date: 'The end is no time.',
  end_before_start: 'It ends before it begins.',
  out_of_range: 'The value is beyond what a body can have.',
  missing_type: 'Its type is missing.',
  unknown_type: 'Its type is not known.',
  unknown_source_type: 'The kind of its source is not known.',
  unpaired: 'Its other half is missing, as of a blood pressure.',
  invalid_date: 'The date is missing or does not exist.',
  too_large: 'It is too large.',
  invalid_field: 'A field has a value that it cannot have.',
}

const PAGE = 50

/** Data that came and could not be stored, as they came and why. */
export function Quarantine({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { key, team } = environment
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery({
    queryKey: [...key, 'person', userId, 'quarantine', 'all'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam !== null && { next_cursor: pageParam }) }
      const params = { path: { user_id: userId }, query }
      return take(team.GET('/v2/user/{user_id}/put_aside', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const items = data.pages.flatMap((page) => page.items)
  return (
    <Section
      id="quarantine"
      title="Not stored"
      description="Items that could not be understood are kept as they came, so that whoever sent them can mend them. Those beside them were stored."
    >
      {items.length === 0 ? (
        <p className="quiet quarantine-none">Everything that came was stored.</p>
      ) : (
        <ol className="quarantine">
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and the list only grows at its end
            <li key={index}>
              <details>
                <summary>
                  <span>{resourceTitle(item.resource)}</span>
                  <span>{REASONS[item.reason] ?? item.reason}</span>
                  <span className="quiet">
                    {providers.get(item.provider)?.name ?? item.provider}
                  </span>
                  <span className="quiet">
                    <Instant at={item.received_at} isRelative />
                  </span>
                </summary>
                <pre>{JSON.stringify(item.item, null, 2)}</pre>
              </details>
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  )
}
