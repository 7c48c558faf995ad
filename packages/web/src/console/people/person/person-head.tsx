import type { ReactNode } from 'react'
import type { Person } from './person-queries.ts'

export function PersonHead({ person }: { person: Person }): ReactNode {
  return <h1>{person.client_user_id}</h1>
}
