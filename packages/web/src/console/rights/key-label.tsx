import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { endOfId } from '../components/id.tsx'
import { managementKeysKey } from '../session/settings/new-management-key.tsx'

/** Loads the labels of the management keys that the session may see, by id. */
const labelsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...managementKeysKey(orgId), 'labels'],
    queryFn: async ({ signal }) => {
      const labels = new Map<string, string>()
      for (let cursor: string | null = null; ; ) {
        const query: { next_cursor?: string } = cursor === null ? {} : { next_cursor: cursor }
        const params = { path: { org_id: orgId }, query }
        const page: { data: { id: string; label: string }[]; next_cursor: string | null } =
          await unwrapResponse(
            management.GET('/v1/org/{org_id}/management_key', { params, signal }),
          )
        for (const { id, label } of page.data) labels.set(id, label)
        if (page.next_cursor === null) return labels
        cursor = page.next_cursor
      }
    },
    staleTime: 60_000,
  })

/** Shows the label of a management key, or its id where the key was revoked or has wider access. */
export function KeyLabel({ id }: { id: string | null }): ReactNode {
  const { organization, key } = useSession()
  const { data: labels } = useQuery(labelsQuery(organization.id))
  if (id === null) return <span className="quiet">unknown</span>
  const label = labels?.get(id)
  return (
    <span title={id}>
      {label ?? <code>{endOfId(id)}</code>}
      {id === key.id && <span className="quiet"> (you)</span>}
    </span>
  )
}
