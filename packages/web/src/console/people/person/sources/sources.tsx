import type { ReactNode } from 'react'
import { Allowed } from '../../../components/allowed.tsx'
import { PersonOrder } from '../../../priorities/person-order.tsx'
import { Devices } from './devices.tsx'
import { LocalTimes } from './local-times.tsx'
import { SourceRanking } from './source-ranking.tsx'
import { ValueOrigins } from './value-origins.tsx'
import './sources.css'

/** Shows the source of each value, the priorities, the devices, and the local times. */
export function Sources({ userId }: { userId: string }): ReactNode {
  return (
    <>
      <ValueOrigins userId={userId} />
      <Allowed to="connections:write">
        <PersonOrder userId={userId} />
      </Allowed>
      <SourceRanking userId={userId} />
      <Devices userId={userId} />
      <LocalTimes userId={userId} />
    </>
  )
}
