import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { providersQuery } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import { REASONS } from './quarantine-reasons.ts'
import './quarantine.css'

const PAGE = 50

/** Lists items that could not be stored, unchanged and with the reason. */
export function Quarantine({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { key, team } = environment
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery({
    queryKey: [...key, 'person', userId, 'quarantine', 'all'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam !== null && { next_cursor: pageParam }) }
      const params = { path: { user_id: userId }, query }
      return unwrapResponse(team.GET('/v2/user/{user_id}/put_aside', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const items = data.pages.flatMap((page) => page.items)
  return (
    <Section
      id="quarantine"
      title="Quarantine"
      description="Items that could not be stored are kept unchanged, so that their sender can mend and send them again. Other items of the same upload were stored."
    >
      {items.length === 0 ? (
        <p className="quiet quarantine-none">The quarantine is empty.</p>
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
          Load more
        </Button>
      )}
    </Section>
  )
}
