import { MantineProvider } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { chooseLanguage } from '../i18n/messages.ts'
import { applyBrandColor } from '../theme/apply-brand-color.ts'
import { theme } from '../theme/theme.ts'
import '../theme/theme.css'
import './me.css'
import { EndPage, type EndReason } from './end-page.tsx'
import { loadMeLanguage, MeLanguageContext, useTexts } from './language.ts'
import { type Access, createMeClient, type MeClient, MeRefusal } from './me-client.ts'
import { MeContext } from './me-context.ts'
import { MePage } from './me-page.tsx'

/**
 * Takes the code of a link out of the address, so that it is not in the history of the browser. The
 * link page comes back with its outcome in the query: then the connections are shown.
 */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (location.search !== '') history.replaceState(null, '', `${location.pathname}#connections`)
  if (code === null) return undefined
  history.replaceState(history.state, '', location.pathname)
  return code
}

/** A link that was used before shows the session that it began in this browser. */
function openLink(client: MeClient, code: string): Promise<Access> {
  return client.open(code).catch((error: unknown) => {
    if (!(error instanceof MeRefusal) || error.errorType !== 'invalid_code') throw error
    return client.getAccess().catch(() => {
      throw error
    })
  })
}

/** Opens the link, or the session that the browser has; changes to the language of the link. */
async function openSession(client: MeClient, code: string | undefined): Promise<Access> {
  const access = await (code === undefined ? client.getAccess() : openLink(client, code))
  applyBrandColor(access.team.brand_color)
  return access
}

const reasonOf = (error: unknown): EndReason => {
  const { errorType, status } = error instanceof MeRefusal ? error : new MeRefusal(500, '')
  if (errorType === 'share_ended') return 'share'
  if (errorType === 'invalid_session') return 'session'
  if (status === 0) return 'offline'
  return status === 400 || status === 422 ? 'code' : 'unavailable'
}

interface StartProps {
  code: string | undefined
  setLanguage: (tag: string) => void
}

function Start({ code, setLanguage }: StartProps): ReactNode {
  const { t } = useTexts()
  const [access, setAccess] = useState<Access>()
  const [ended, setEnded] = useState<EndReason>()
  const client = useMemo(
    () =>
      createMeClient(document.baseURI, (errorType) =>
        setEnded(errorType === 'share_ended' ? 'share' : 'session'),
      ),
    [],
  )
  const open = useCallback((): void => {
    setEnded(undefined)
    openSession(client, code).then(
      (opened) => {
        if (opened.language !== null) setLanguage(opened.language)
        setAccess(opened)
      },
      (error) => setEnded(reasonOf(error)),
    )
  }, [client, code, setLanguage])
  useEffect(open, [open])
  if (ended !== undefined) {
    const isOfShare = access !== undefined && access.share !== null
    return <EndPage reason={ended} access={access} isOfShare={isOfShare} onRetry={open} />
  }
  if (access === undefined) {
    return (
      <main className="me-wait" role="status">
        {t('loading')}
      </main>
    )
  }
  return (
    <MeContext value={{ client, access, setAccess, end: setEnded }}>
      <MePage />
    </MeContext>
  )
}

function App({ code }: { code: string | undefined }): ReactNode {
  const [tag, setTag] = useState(() => chooseLanguage(navigator.languages))
  const [language, setLanguage] = useState<Awaited<ReturnType<typeof loadMeLanguage>>>()
  useEffect(() => {
    void loadMeLanguage(tag).then((loaded) => {
      document.documentElement.lang = loaded.tag
      document.title = loaded.t('page_title')
      setLanguage(loaded)
    })
  }, [tag])
  if (language === undefined) return null
  return (
    <MeLanguageContext value={language}>
      <Start code={code} setLanguage={setTag} />
    </MeLanguageContext>
  )
}

// A link that is opened in the tab of the page changes only the fragment.
addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('code')) location.reload()
})

// CSS variables come from files: inline styles would need an exception in the content security
// policy.
const mantine = {
  theme,
  withCssVariables: false,
  withGlobalClasses: false,
  withStaticClasses: true,
}
createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider {...mantine} defaultColorScheme="auto">
    <App code={takeCode()} />
  </MantineProvider>,
)
