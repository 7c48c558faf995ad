import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { usePermission } from '../../api/session.ts'
import { nameOf } from '../../people/person/person-name.ts'
import { endOfId } from '../id.tsx'

interface Batch {
  ids: Set<string>
  names: Promise<ReadonlyMap<string, string>>
}

/** The server looks up as many people in a request. */
const MOST_IDS = 200
const KEPT_MS = 300_000

/** Look-ups of this moment that are not sent yet, by environment. */
const open = new Map<string, Batch>()

/** Looks a name up together with those that the page wants at the same moment. */
async function findName(environment: Environment, userId: string): Promise<string | null> {
  const name = environment.key.join()
  const batch = open.get(name) ?? openBatch(name, environment)
  batch.ids.add(userId)
  if (batch.ids.size === MOST_IDS) open.delete(name)
  return (await batch.names).get(userId) ?? null
}

function openBatch(name: string, { team }: Environment): Batch {
  const ids = new Set<string>()
  const names = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
    if (open.get(name) === batch) open.delete(name)
    const body = { user_ids: [...ids], limit: MOST_IDS }
    const { users } = await unwrapResponse(team.POST('/v2/user/search', { body }))
    return new Map(users.map((user) => [user.user_id, nameOf(user) ?? user.client_user_id]))
  })
  const batch = { ids, names }
  open.set(name, batch)
  return batch
}

/** Returns the name of a person, or the client id; undefined until it is known, or for no one. */
export function useNameOfId(userId: string | null): string | undefined {
  const environment = useEnvironment()
  const mayRead = usePermission('people:read', 'demographics:read')
  const { data } = useQuery({
    queryKey: [...environment.key, 'person-name', userId],
    queryFn: () => findName(environment, userId as string),
    enabled: userId !== null && mayRead,
    staleTime: KEPT_MS,
    retry: false,
  })
  return data ?? undefined
}

/** A link to a person by name, or client id; the end of the id where neither can be read. */
export function PersonLink({
  userId,
  tab,
}: {
  userId: string | null
  /** Tab of the page of the person; the first unless given. */
  tab?: string
}): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const name = useNameOfId(userId)
  if (userId === null) return <span className="quiet">no person</span>
  return (
    <Link
      to="/$team/$env/people/$user"
      params={{ team, env, user: userId }}
      search={{ tab } as never}
    >
      {name === undefined ? <code title={userId}>{endOfId(userId)}</code> : <bdi>{name}</bdi>}
    </Link>
  )
}
