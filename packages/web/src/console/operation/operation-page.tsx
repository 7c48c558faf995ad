import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { IconListSearch } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useViewState } from '../shell/view-state.ts'
import { DeliveryTab } from './delivery-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { ProviderSetups } from './provider-setups.tsx'
import { ProvidersTab } from './providers-tab.tsx'
import { StatusTab } from './status-tab.tsx'
import './operation.css'

const Providers = (): ReactNode => (
  <>
    <ProvidersTab />
    <ProviderSetups />
  </>
)

const TABS = [
  { key: 'status', title: 'Status', Content: StatusTab },
  { key: 'jobs', title: 'Jobs', Content: JobsTab },
  { key: 'delivery', title: 'Delivery', Content: DeliveryTab },
  { key: 'providers', title: 'Providers', Content: Providers },
]

/** Shown to users who may not see the page. */
export function OnlyForOperators(): ReactNode {
  return (
    <EmptyState title="This page is for the operator of the installation.">
      Sign in with an org_admin management key of the first organization to see it.
    </EmptyState>
  )
}

/** The state of the installation: versions, sizes, jobs, delivery and providers. */
export function OperationPage(): ReactNode {
  const { is_operator: isOperator } = useSession()
  const [{ tab }] = useViewState({ tab: 'status' })
  const Content = TABS.find(({ key }) => key === tab)?.Content ?? StatusTab
  return (
    <Page
      title="Operation"
      description="The state of the installation, over all teams."
      actions={
        isOperator && (
          <Link to="/operation/audit" className="operation-link">
            <IconListSearch size={18} aria-hidden /> Audit log
          </Link>
        )
      }
    >
      {isOperator ? (
        <>
          <Tabs label="Parts of operation" tabs={TABS} chosen={tab} />
          <Content />
        </>
      ) : (
        <OnlyForOperators />
      )}
    </Page>
  )
}
