import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { Failure } from '../../../components/failure.tsx'
import { IconPlus } from '../../../components/icons.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { draftOf, type PolicyDraft } from './insurance-draft.ts'
import { InsuranceDialog } from './insurance-form.tsx'
import { insuranceQuery } from './lab-queries.ts'

const RELATIONSHIPS = {
  Self: 'the person',
  Spouse: 'the spouse of the person',
  Other: 'another person',
} as const

type Opened = { from: PolicyDraft | undefined }

/** Lists the insurance policies of a person. Policies never change; the newest is billed. */
export function Insurance({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(insuranceQuery(useEnvironment(), userId))
  const [opened, setOpened] = useState<Opened>()
  return (
    <Section
      id="insurance"
      title="Insurance"
      actions={
        <Allowed to="demographics:write">
          <Button
            variant="outline"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setOpened({ from: undefined })}
          >
            Add insurance
          </Button>
        </Allowed>
      }
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading insurance" />}
      {data?.length === 0 && (
        <p className="quiet">No insurance yet. Orders that are billed to insurance need it.</p>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="person-orders">
          {data.map((policy) => (
            <li key={policy.id} className="person-order">
              <header className="person-order-head">
                <h3>{policy.company.name}</h3>
                {policy.is_billed ? (
                  <StatusBadge tone="good">Billed</StatusBadge>
                ) : (
                  <StatusBadge tone="neutral">
                    {policy.is_primary ? 'Replaced by a newer one' : 'Secondary'}
                  </StatusBadge>
                )}
                <Allowed to="demographics:write">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Replace the policy of ${policy.company.name}`}
                    onClick={() => setOpened({ from: draftOf(policy) })}
                  >
                    Replace
                  </Button>
                </Allowed>
              </header>
              <p>
                Member {policy.member_id}
                {policy.group_id ? `, group ${policy.group_id}` : ''}
              </p>
              <p className="quiet">
                Held by {RELATIONSHIPS[policy.relationship]} · payor{' '}
                <code>{policy.payor_code}</code> · added <Instant at={policy.created_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <InsuranceDialog
        userId={userId}
        first={opened?.from}
        isReplacement={opened?.from !== undefined}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      />
    </Section>
  )
}
