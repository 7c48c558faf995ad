import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { chooseLanguage, LanguageContext, loadLanguage, useLanguage } from '../i18n/messages.ts'
import { applyBrandColor } from '../theme/apply-brand-color.ts'
import { PageFrame } from '../theme/page-frame.tsx'
import { theme } from '../theme/theme.ts'
import '../theme/theme.css'
import './link.css'
import { DonePage } from './done-page.tsx'
import { type FailureType, failureOf } from './failures.registry.ts'
import { createLinkClient, type LinkConfig, LinkRefusal } from './link-client.ts'
import { LinkPage } from './link-page.tsx'
import { type LinkSession, openLinkSession, updateLinkSession } from './link-session.ts'
import { FailureStep, Waiting } from './steps/outcome-steps.tsx'

/** Loads the link with its team and providers, and shows its steps or the failure. */
function LinkStart({ session }: { session: LinkSession | undefined }): ReactNode {
  const { t } = useLanguage()
  const token = session?.token
  const [client] = useState(() => createLinkClient(document.baseURI, token ?? ''))
  const [config, setConfig] = useState<LinkConfig>()
  // A tab without a token is one in which it was used up.
  const [failure, setFailure] = useState<FailureType | undefined>(
    token === undefined ? 'invalid_token' : token === '' ? 'token_consumed' : undefined,
  )
  useEffect(() => {
    if (failure !== undefined) return
    client.getConfig(session?.opener).then(
      (loaded) => {
        const { opener, continuation } = loaded
        updateLinkSession({ opener: opener ?? undefined, continuation: continuation ?? undefined })
        applyBrandColor(loaded.team.brand_color)
        setConfig(loaded)
      },
      (error) => setFailure(failureOf(error instanceof LinkRefusal ? error.errorType : null)),
    )
  }, [client, failure, session])
  if (config !== undefined) {
    return <LinkPage client={client} config={config} hasAgreed={session?.hasAgreed === true} />
  }
  return (
    <PageFrame team={undefined} status={failure === undefined ? t('loading') : ''}>
      {failure === undefined ? (
        <Waiting>{t('loading')}</Waiting>
      ) : (
        <FailureStep
          failure={failure}
          team={session?.team ?? t('the_team')}
          provider={t('the_provider')}
          actions={{ try_again: () => setFailure(undefined) }}
        />
      )}
    </PageFrame>
  )
}

async function start(): Promise<void> {
  const language = await loadLanguage(chooseLanguage(navigator.languages))
  document.documentElement.lang = language.tag
  document.title = language.t('page_title')
  const isDone = /\/done\/?$/.test(location.pathname)
  const session = isDone ? undefined : openLinkSession()
  // CSS variables come from files: inline styles would need an exception in the content security
  // policy.
  const mantine = {
    theme,
    withCssVariables: false,
    withGlobalClasses: false,
    withStaticClasses: true,
  }
  createRoot(document.getElementById('root') as HTMLElement).render(
    <LanguageContext value={language}>
      <MantineProvider {...mantine} defaultColorScheme="auto">
        {isDone ? <DonePage /> : <LinkStart session={session} />}
      </MantineProvider>
    </LanguageContext>,
  )
}

start()
