import type { ReactNode } from 'react'
import { PersonHolds } from '../../../rights/holds/person-holds.tsx'
import { ErasePerson } from './erase-person.tsx'
import { Exports } from './exports.tsx'

/** What the person, or a court, may ask of who keeps their data: a copy, a hold, the erasure. */
export function Rights({ userId }: { userId: string }): ReactNode {
  return (
    <>
      <Exports userId={userId} />
      <PersonHolds userId={userId} />
      <ErasePerson userId={userId} />
    </>
  )
}
