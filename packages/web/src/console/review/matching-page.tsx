import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { IconFlask2 } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useViewState } from '../shell/view-state.ts'
import { HeldList, OperatorList } from './matching/held-list.tsx'
import { HeldResultView } from './matching/held-result.tsx'
import { LabMessages } from './matching/lab-messages.tsx'
import { StuckOrders } from './matching/stuck-orders.tsx'
import { TryCase } from './matching/try-case.tsx'
import './matching/matching.css'

const TABS = [
  { key: 'decide', title: 'To decide' },
  { key: 'passed', title: 'Passed to operator' },
  { key: 'decided', title: 'Decided' },
  { key: 'operator', title: 'Operator queue' },
  { key: 'orders', title: 'Stuck orders' },
  { key: 'messages', title: 'Laboratory messages' },
] as const

/** The results that match no order, and other problems with laboratories that need a decision. */
export function MatchingPage(): ReactNode {
  const [{ tab, result }] = useViewState({ tab: 'decide', result: undefined })
  const { env } = useEnvironment()
  const [isTrying, setTrying] = useState(false)
  return (
    <Page
      title="Result review"
      description="Results that match no order unambiguously are held here until you decide about them. No result is lost."
      actions={
        env === 'sandbox' && (
          <Button
            variant="subtle"
            leftSection={<IconFlask2 size={16} aria-hidden />}
            onClick={() => setTrying(true)}
          >
            Simulate case
          </Button>
        )
      }
    >
      <Tabs label="Result review" tabs={TABS} chosen={tab} />
      {result === undefined ? (
        <MatchingTab tab={tab} onTry={() => setTrying(true)} />
      ) : (
        <HeldResultView id={result} isOfOperator={tab === 'operator'} />
      )}
      <TryCase isOpen={isTrying} onClose={() => setTrying(false)} />
    </Page>
  )
}

function MatchingTab({ tab, onTry }: { tab: string; onTry: () => void }): ReactNode {
  switch (tab) {
    case 'passed':
      return <HeldList status="pending_ops_review" onTry={onTry} />
    case 'decided':
      return <HeldList status="resolved" onTry={onTry} />
    case 'operator':
      return <OperatorList />
    case 'orders':
      return <StuckOrders />
    case 'messages':
      return <LabMessages />
    default:
      return <HeldList status="pending_customer_review" onTry={onTry} />
  }
}
