import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import { PageFrame } from '../theme/page-frame.tsx'
import { failureOf } from './failures.registry.ts'
import { createLinkClient, nameOfSlug } from './link-client.ts'
import { endLinkSession, readLinkSession } from './link-session.ts'
import { report } from './report.ts'
import { DoneStep, FailureStep } from './steps/outcome-steps.tsx'
import { useAnother } from './use-another.ts'

/**
 * The last page of a link without a redirect: shows the outcome in the query. Only known words of
 * the query are shown, because anyone can write one.
 */
export function DonePage(): ReactNode {
  const { t } = useLanguage()
  const query = new URLSearchParams(location.search)
  const [session] = useState(readLinkSession)
  const [client] = useState(() => createLinkClient(document.baseURI, ''))
  const another = useAnother(client, session?.continuation)
  const team = session?.team ?? t('the_team')
  const provider = session?.provider ?? nameOfSlug(query.get('provider')) ?? t('the_provider')
  const isSuccess = query.get('state') === 'success'
  const failure = failureOf(query.get('error_type'))
  const slug = nameOfSlug(query.get('provider')) && (query.get('provider') ?? undefined)
  useEffect(() => {
    if (isSuccess) endLinkSession()
    report(
      session?.opener,
      isSuccess
        ? { event: 'success', provider: slug }
        : { event: 'error', error_type: failure, provider: slug },
    )
  }, [isSuccess, failure, slug, session])
  // The token of this tab, if there is one, stays valid after an error.
  const again = (): void => location.assign(new URL('link', document.baseURI))
  const actions = session?.token ? { try_again: again, start_again: again } : {}
  return (
    <PageFrame
      team={session?.team ? { name: session.team, logoUrl: null } : undefined}
      status={another.problem ?? ''}
    >
      {isSuccess ? (
        <DoneStep team={team} provider={provider} continueUrl={undefined} another={another} />
      ) : (
        <FailureStep failure={failure} team={team} provider={provider} actions={actions} />
      )}
    </PageFrame>
  )
}
