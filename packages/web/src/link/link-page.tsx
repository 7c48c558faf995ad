import { type ReactNode, useEffect, useReducer, useState } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import { PageFrame } from '../theme/page-frame.tsx'
import { firstStep, fixedProviderOf, nextStep, signInKindOf } from './flow.machine.ts'
import {
  type LinkClient,
  type LinkConfig,
  nameOfSlug,
  type Provider,
  type ProviderLinkResponse,
} from './link-client.ts'
import { endLinkSession } from './link-session.ts'
import { isSafeRedirect, isWebAddress, withOutcome } from './redirect.ts'
import { report } from './report.ts'
import { AppStep } from './steps/app-step.tsx'
import { CodeStep } from './steps/code-step.tsx'
import { ConsentStep } from './steps/consent-step.tsx'
import { ClosedStep, DoneStep, FailureStep, Waiting } from './steps/outcome-steps.tsx'
import { ProviderListStep } from './steps/provider-list-step.tsx'
import { RegionStep } from './steps/region-step.tsx'
import { EmailStep, PasswordStep } from './steps/sign-in-step.tsx'
import { useAnother } from './use-another.ts'
import { errorTypeOf, handOver, useVendorCalls } from './vendor-calls.ts'

/** Returns the page at which a link without a redirect ends. */
const donePage = (): string => new URL('link/done', document.baseURI).href

/** Redirects the person if the address is safe; returns false if there is none. */
function leaveFor(url: string | null): boolean {
  if (url === null || !isSafeRedirect(url)) return false
  location.assign(url)
  return true
}

/** Reports a success or an error; a code that is still to be entered is neither. */
function reportAnswer(opener: string | null | undefined, answer: ProviderLinkResponse): void {
  const { state, provider, error_type, error } = answer
  if (state === 'success') report(opener, { event: 'success', provider })
  if (state !== 'error') return
  report(opener, {
    event: 'error',
    error_type: error_type ?? 'unavailable',
    error: error ?? undefined,
    provider,
  })
}

/** Shows the steps of a link whose configuration is loaded. */
export function LinkPage({
  client,
  config,
  hasAgreed,
}: {
  client: LinkClient
  config: LinkConfig
  /** The person has agreed in the link before this one. */
  hasAgreed: boolean
}): ReactNode {
  const { t } = useLanguage()
  const [step, dispatch] = useReducer(nextStep.bind(null, config), firstStep(config, hasAgreed))
  const [announced, announce] = useState('')
  const [continueUrl, setContinueUrl] = useState<string>()
  const { waitingFor, ask } = useVendorCalls()
  const isBusy = waitingFor !== undefined
  const { team, redirect_url: redirectUrl, opener } = config
  const another = useAnother(client, config.continuation)

  const handedOver = step.name === 'handover' ? step : undefined
  useEffect(() => {
    if (handedOver === undefined) return
    return handOver(client, handedOver, config, dispatch)
  }, [handedOver, client, config])

  /** Continues after a response: returns to the team's app, or goes on within the page. */
  const finish = (answer: ProviderLinkResponse): boolean => {
    const { state, error_type: errorType } = answer
    reportAnswer(opener, answer)
    // A wrong code does not end the link: it can be entered again.
    const isEnd = state === 'success' || (state === 'error' && errorType !== 'incorrect_mfa_code')
    if (!isEnd) return false
    if (state === 'success') endLinkSession()
    const goesOn = state === 'success' ? redirectUrl !== null : config.on_error === 'redirect'
    const { error, provider } = answer
    const outcome = {
      state,
      error_type: errorType ?? undefined,
      error: error ?? undefined,
      provider,
    }
    const url = goesOn ? withOutcome(redirectUrl ?? donePage(), outcome) : null
    if (!leaveFor(url)) return false
    // The browser may ask before it opens an app, or refuse it: then the page shows the outcome and
    // a button.
    if (state === 'success' && url !== null) setContinueUrl(url)
    return state === 'error' && isWebAddress(url ?? '')
  }
  const connect = async (
    provider: Provider,
    call: () => Promise<ProviderLinkResponse>,
    given?: Parameters<LinkClient['signIn']>[1],
  ): Promise<void> => {
    announce('')
    try {
      const answer = await ask(provider, call)
      if (!finish(answer)) dispatch({ type: 'answered', provider, answer, ...(given && { given }) })
    } catch (error) {
      const errorType = errorTypeOf(error)
      report(opener, { event: 'error', error_type: errorType, provider: provider.slug })
      dispatch({ type: 'refused', errorType, provider })
    }
  }
  const close = (): void => {
    announce('')
    report(opener, { event: 'closed' })
    const outcome = {
      state: 'error',
      error_type: 'user_cancelled',
      error: 'The user closed the page.',
    } as const
    const provider = 'provider' in step ? step.provider?.slug : config.provider
    const url = withOutcome(redirectUrl ?? donePage(), {
      ...outcome,
      provider: provider ?? undefined,
    })
    if (config.on_close === 'redirect' && leaveFor(url)) {
      if (isWebAddress(url)) return
    } else {
      // Browsers close only windows that a script opened.
      window.close()
    }
    dispatch({ type: 'closed' })
  }

  const view = (): ReactNode => {
    switch (step.name) {
      case 'consent':
        return (
          <ConsentStep
            team={team.name}
            provider={fixedProviderOf(config)?.name}
            onAgree={() => dispatch({ type: 'agreed' })}
            onCancel={close}
          />
        )
      case 'list':
        return (
          <ProviderListStep
            team={team.name}
            providers={config.providers.filter((provider) => signInKindOf(provider) !== undefined)}
            appProviders={config.app_providers ?? []}
            connections={config.connections ?? []}
            announce={announce}
            onChoose={(provider) => {
              announce('')
              dispatch({ type: 'chosen', provider })
            }}
            onChooseApp={(provider) => {
              announce('')
              dispatch({ type: 'chose_app', provider })
            }}
          />
        )
      case 'app':
        return (
          <AppStep
            team={team.name}
            provider={step.provider}
            onChooseAnother={
              config.provider ? undefined : () => dispatch({ type: 'chose_another' })
            }
          />
        )
      case 'sign_in': {
        const { provider } = step
        const shared = {
          ...step,
          error: step.error,
          isBusy,
          onBack: () => dispatch({ type: 'left' }),
        }
        return signInKindOf(provider) === 'email' ? (
          <EmailStep
            {...shared}
            onSubmit={(email, region) =>
              connect(provider, () => client.connectEmail(provider.slug, email, region))
            }
          />
        ) : (
          <PasswordStep
            {...shared}
            onSubmit={(given) =>
              connect(provider, () => client.signIn(provider.slug, given), given)
            }
          />
        )
      }
      case 'code': {
        const { provider, given } = step
        return (
          <CodeStep
            // A new code is a new step, without the error of the last one.
            key={step.codes}
            step={step}
            isBusy={isBusy}
            onSubmit={(code) => connect(provider, () => client.completeMfa(provider.slug, code))}
            onResend={async () => {
              await connect(provider, () => client.signIn(provider.slug, given), given)
              announce(t('code_resent'))
            }}
            onBack={() => dispatch({ type: 'left' })}
          />
        )
      }
      case 'region':
        return (
          <RegionStep
            step={step}
            onSubmit={(region) => dispatch({ type: 'chose_region', region })}
            onBack={() => dispatch({ type: 'left' })}
          />
        )
      case 'handover':
        return <Waiting>{t('handover', { provider: step.provider.name })}</Waiting>
      case 'done':
        return (
          <DoneStep
            team={team.name}
            provider={step.provider.name}
            continueUrl={continueUrl}
            another={another}
          />
        )
      case 'closed':
        return <ClosedStep onStart={() => dispatch({ type: 'started_again' })} />
      case 'failed':
        return (
          <FailureStep
            failure={step.failure}
            team={team.name}
            provider={
              step.provider?.name ?? nameOfSlug(config.provider ?? null) ?? t('the_provider')
            }
            actions={{
              try_again: () => dispatch({ type: 'tried_again' }),
              start_again: () => dispatch({ type: 'started_again' }),
              ...(!config.provider && {
                choose_another: () => dispatch({ type: 'chose_another' }),
              }),
            }}
          />
        )
    }
  }
  const status =
    step.name === 'handover'
      ? t('handover', { provider: step.provider.name })
      : (waitingFor ?? another.problem ?? announced)
  return (
    <PageFrame
      team={{ name: team.name, logoUrl: team.logo_url }}
      note={config.environment === 'sandbox' ? 'Sandbox' : undefined}
      onClose={step.name === 'done' || step.name === 'closed' ? undefined : close}
      status={status}
    >
      {view()}
    </PageFrame>
  )
}
