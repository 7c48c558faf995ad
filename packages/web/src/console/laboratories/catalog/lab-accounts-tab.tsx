import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { accountsQuery } from '../new-order/tests-part.tsx'
import { describeBilling, humanizeName } from '../words.ts'
import { labsQuery } from './catalog-queries.ts'

type Account = components['schemas']['LabAccount']

/** Lists the accounts of the team at laboratories: they decide who orders, who pays, and where. */
export function LabAccountsTab(): ReactNode {
  const environment = useEnvironment()
  const { data, error, refetch } = useQuery(accountsQuery(environment))
  const { data: labs = [] } = useQuery(labsQuery(environment))
  if (error) return <Failure error={error} onRetry={refetch} />
  if (data === undefined) return <Waiting label="Loading the accounts" />
  if (data.length === 0) {
    return (
      <EmptyState title="Your team has no laboratory accounts of its own.">
        Orders use the accounts of this installation. Its operator can link accounts of yours.
      </EmptyState>
    )
  }
  return (
    <div className="account-cards">
      {data.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          labName={labs.find(({ slug }) => slug === account.lab)?.name ?? account.lab}
        />
      ))}
    </div>
  )
}

const TONES: Readonly<Record<string, Tone>> = { active: 'good', suspended: 'bad' }
const FLOWS: Readonly<Record<string, string>> = {
  order_delegated: 'Your physicians order; critical results are followed up for you.',
  result_delegated: 'Physicians of the network order; you follow up critical results.',
  fully_delegated: 'Your physicians order, and you follow up critical results.',
  not_delegated: 'Physicians of the network order and follow up critical results.',
}

function AccountCard({ account, labName }: { account: Account; labName: string }): ReactNode {
  const billings = Object.entries(account.allowed_billing as Record<string, string[]>)
  return (
    <section className="section" aria-label={`${labName} ${account.provider_account_id}`}>
      <header className="section-header">
        <div>
          <h2>{labName}</h2>
          <p className="page-description">
            {account.account_name ?? 'Account'} <code>{account.provider_account_id}</code>
          </p>
        </div>
        <StatusBadge tone={TONES[account.status] ?? 'warning'}>
          {humanizeName(account.status)}
        </StatusBadge>
      </header>
      <p className="quiet">{FLOWS[account.delegated_flow]}</p>
      <dl className="facts">
        {billings.map(([billing, states]) => (
          <div key={billing} className="fact-row">
            <dt>{describeBilling(billing).label}</dt>
            <dd>{states.length >= 50 ? 'In every state' : states.join(', ') || 'Nowhere'}</dd>
          </div>
        ))}
        {account.default_clinical_notes && (
          <div className="fact-row">
            <dt>Added to clinical notes</dt>
            <dd>{account.default_clinical_notes}</dd>
          </div>
        )}
      </dl>
      <Id value={account.id} of="the account" />
    </section>
  )
}
