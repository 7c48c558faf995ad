import type { ReactNode } from 'react'
import { Allowed } from '../../../components/allowed.tsx'
import { PersonHolds } from '../../../rights/holds/person-holds.tsx'
import { ErasePerson } from './erase-person.tsx'
import { Exports } from './exports.tsx'
import { Portal } from './portal.tsx'

/** The rights of the person: exports, their page and shares, legal holds, and erasure. */
export function Rights({ userId }: { userId: string }): ReactNode {
  return (
    <>
      <Exports userId={userId} />
      <Portal userId={userId} />
      <PersonHolds userId={userId} />
      <Allowed to="rights:write">
        <ErasePerson userId={userId} />
      </Allowed>
    </>
  )
}
