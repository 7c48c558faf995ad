import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useViewState } from '../../shell/view-state.ts'
import '../laboratories.css'
import './catalog.css'
import { CompendiumTab } from './compendium-tab.tsx'
import { LabAccountsTab } from './lab-accounts-tab.tsx'
import { LabTestsTab } from './lab-tests-tab.tsx'
import { MarkersTab } from './markers-tab.tsx'

const TABS = [
  { key: 'tests', title: 'Tests' },
  { key: 'markers', title: 'Markers' },
  { key: 'compendium', title: 'Across laboratories' },
  { key: 'accounts', title: 'Lab accounts' },
]

/** The catalog: tests of the laboratories, and the accounts under which the team orders them. */
export function CatalogPage(): ReactNode {
  const [{ tab }] = useViewState({ tab: 'tests' as string })
  return (
    <Page
      title="Catalog"
      description="Tests that your team can order, the laboratories that run them, and their codes elsewhere."
    >
      <Tabs label="Parts of the catalog" tabs={TABS} chosen={tab} />
      {tab === 'tests' && <LabTestsTab />}
      {tab === 'markers' && <MarkersTab />}
      {tab === 'compendium' && <CompendiumTab />}
      {tab === 'accounts' && <LabAccountsTab />}
    </Page>
  )
}
