import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useViewState } from '../shell/view-state.ts'
import { ErasuresTab } from './erasures/erasures-tab.tsx'
import { HoldsTab } from './holds/holds-tab.tsx'
import { RetentionTab } from './retention/retention-tab.tsx'
import './rights.css'

const TABS = [
  { key: 'retention', title: 'Retention' },
  { key: 'holds', title: 'Legal holds' },
  { key: 'erasures', title: 'Erasures' },
]

/** Retention periods, legal holds and erasures of the environment. */
export function RightsPage(): ReactNode {
  const [{ tab }] = useViewState({ tab: 'retention' as string })
  return (
    <Page
      title="Data rights"
      description="Retention periods, legal holds and erasures of the environment. The data rights of a person are on their page, under Rights."
    >
      <Tabs label="Parts of data rights" tabs={TABS} chosen={tab} />
      {tab === 'retention' && <RetentionTab />}
      {tab === 'holds' && <HoldsTab />}
      {tab === 'erasures' && <ErasuresTab />}
    </Page>
  )
}
