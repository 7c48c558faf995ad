import type { ReactNode } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import { PageFrame } from '../theme/page-frame.tsx'
import { failureOf } from './failures.registry.ts'
import { nameOfSlug } from './link-client.ts'
import { endLinkSession, readLinkSession } from './link-session.ts'
import { DoneStep, FailureStep } from './steps/outcome-steps.tsx'

/**
 * The last page of a link without a redirect: shows the outcome in the query. Only known words of
 * the query are shown, because anyone can write one.
 */
export function DonePage(): ReactNode {
  const { t } = useLanguage()
  const query = new URLSearchParams(location.search)
  const session = readLinkSession()
  const team = session?.team ?? t('the_team')
  const provider = session?.provider ?? nameOfSlug(query.get('provider')) ?? t('the_provider')
  const isSuccess = query.get('state') === 'success'
  if (isSuccess) endLinkSession()
  // The token of this tab, if there is one, stays valid after an error.
  const again = (): void => location.assign(new URL('link', document.baseURI))
  const actions = session?.token ? { try_again: again, start_again: again } : {}
  return (
    <PageFrame team={session?.team ? { name: session.team, logoUrl: null } : undefined} status="">
      {isSuccess ? (
        <DoneStep team={team} provider={provider} continueUrl={undefined} />
      ) : (
        <FailureStep
          failure={failureOf(query.get('error_type'))}
          team={team}
          provider={provider}
          actions={actions}
        />
      )}
    </PageFrame>
  )
}
