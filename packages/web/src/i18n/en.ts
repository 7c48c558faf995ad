/** The English texts; their keys and placeholders are the type of all other languages. */
export const en = {
  page_title: 'Connect your health data',
  loading: 'Loading…',
  close: 'Close',
  back: 'Back',
  continue: 'Continue',
  cancel: 'Cancel',
  try_again: 'Try again',
  choose_another: 'Choose another provider',
  start_again: 'Start again',
  you_can_close: 'You can close this page now.',
  the_team: 'the app that sent you here',
  the_provider: 'your provider',

  consent_title: 'Share your health data with {team}',
  consent_title_provider: 'Share your {provider} data with {team}',
  consent_what: 'What is shared',
  consent_what_text:
    'Health data that the account you connect holds, past and future: for example activity, sleep, workouts, body measurements or glucose values.',
  consent_whom: 'With whom',
  consent_whom_text: '{team} only; this page shares it with no one else.',
  consent_why: 'For what purpose',
  consent_why_text:
    'For the services that {team} provides to you. Its privacy notice says how it uses your data.',
  consent_end: 'How to stop',
  consent_end_text:
    'You can stop sharing at any time, with {team} or in the settings of the connected account.',
  consent_agree: 'Agree and continue',
  consent_agree_provider: 'Agree and go to {provider}',

  list_title: 'Choose your provider',
  list_search: 'Search providers',
  list_count_one: '1 provider',
  list_count_other: '{count} providers',
  list_none:
    'There is no provider of that name. Check the spelling, or search for the maker of your device.',
  list_empty: '{team} offers no provider here yet.',
  list_connected: 'Connected already',
  list_online: 'Online accounts',
  list_others: 'More providers',
  list_phone: 'On your phone',
  state_connected: 'Connected',
  state_paused: 'Paused',
  state_error: 'Sign in again',
  app_title: '{provider} is on your phone',
  app_apple_why:
    'Apple Health keeps your data on your iPhone, where no website can read it. The app of {team} can, if you allow it.',
  app_apple_open:
    'Open the app of {team} on your iPhone and sign in. If you do not have it, ask {team} for it.',
  app_apple_allow:
    'Allow access to Apple Health when the app requests it, and turn on the data that you want to share.',
  app_apple_end:
    'The data now arrive by themselves. To stop, open the Settings of the iPhone, then Health, then Data Access & Devices.',
  app_android_why:
    'Health Connect keeps your data on your Android phone, where no website can read it. The app of {team} can, if you allow it.',
  app_android_open:
    'Open the app of {team} on your Android phone and sign in. If you do not have it, ask {team} for it.',
  app_android_allow:
    'Allow access to Health Connect when the app requests it. On Android 13 and older, install Health Connect from Google Play first.',
  app_android_end:
    'The data now arrive by themselves. To stop, open the Settings of the phone, search for Health Connect, then open App permissions.',

  password_title: 'Sign in to {provider}',
  password_intro:
    'Use the user name and password of your {provider} account. They are only used to fetch your data from {provider}, and are kept encrypted.',
  password_intro_session:
    'Signing in here signs you out of the {provider} app on your phone, and your scale then uploads nothing until you sign in there again. Your password is only used for this sign-in, and is not kept.',
  password_intro_diary:
    'Enter the user name of your {provider} profile and, as password, the key of your diary: you set it under Settings, Diary Settings, Diary Sharing. It is not the password of your account. Both are only used to fetch your diary, and are kept encrypted.',
  field_username: 'User name or e-mail',
  field_password: 'Password',
  field_region: 'Country or region of your account',
  field_region_choose: 'Please choose',
  show_password: 'Show password',
  password_submit: 'Connect',
  required_username: 'Enter your user name or e-mail.',
  required_password: 'Enter your password.',
  required_region: 'Choose where your account is registered.',
  wrong_credential:
    '{provider} does not accept this user name and password. Check both and try again.',

  email_title: 'Connect {provider}',
  email_intro:
    'Enter the e-mail address of your {provider} account. {provider} will ask you there to accept the invitation.',
  field_email: 'E-mail address',
  required_email: 'Enter an e-mail address such as name@example.com.',
  wrong_email: '{provider} does not know this e-mail address. Check it and try again.',
  wrong_region: '{provider} is not available in this country or region here. Choose another one.',

  region_title: 'Choose the region of your {provider} account',
  region_intro:
    '{provider} has a sign-in page of its own in each region. Your account works only in the region where you created it.',
  region_others: 'All other countries',
  region_submit: 'Continue to {provider}',

  code_title: 'Enter your code',
  code_sent_sms: '{provider} has sent you a code by text message to {hint}.',
  code_sent_email: '{provider} has sent you a code by e-mail to {hint}.',
  code_totp: 'Open your authenticator app and enter the code that it shows for {provider}.',
  code_sent_other: '{provider} has sent you a code.',
  field_code: 'Code',
  required_code: 'Enter the code.',
  wrong_code: 'The code is incorrect. Check it and try again.',
  code_submit: 'Confirm',
  code_resend: 'Send a new code',
  code_resent: 'A new code is on its way.',

  waiting: 'Contacting {provider}…',
  waiting_long: 'Still working. {provider} can take up to a minute; please leave this page open.',
  handover: 'Taking you to {provider}…',

  done_title: '{provider} is connected',
  done_text: 'Your data will now go to {team}. The first of it can take some minutes to arrive.',
  done_return: 'Return to {team}',
  connect_another: 'Connect another account',
  done_close: 'Close this window',
  another_failed:
    'That did not work, because the link has ended or the server cannot be reached. Open a new link, or try again.',
  closed_title: 'Nothing was connected',
  closed_text: 'You closed the page before an account was connected. No data is shared.',

  fail_invalid_token_title: 'This link does not work',
  fail_invalid_token:
    'It is incomplete or no longer valid. Go back to {team} and open a new link there.',
  fail_token_expired_title: 'This link has expired',
  fail_token_expired: 'Links are valid for one hour. Go back to {team} and open a new one there.',
  fail_token_consumed_title: 'This link has been used',
  fail_token_consumed:
    'An account was connected with it, so you may be done already. To connect another one, go back to {team} and open a new link.',
  fail_token_not_validated_title: 'Please start again',
  fail_token_not_validated: 'The sign-in was interrupted, or it was started in another window.',
  fail_provider_credential_error_title: 'The sign-in to {provider} failed',
  fail_provider_credential_error:
    'The sign-in was cancelled or refused there. Nothing was connected; you can try again.',
  fail_provider_password_expired_title: 'Your password has expired',
  fail_provider_password_expired:
    '{provider} requires a new password first. Set one in the app or on the website of {provider}, then come back and try again.',
  fail_provider_consent_needed_title: '{provider} needs your agreement',
  fail_provider_consent_needed:
    'Open the app of {provider}, agree to what it shows you, and then sign in here again.',
  fail_provider_nothing_shared_title: 'There is no data for this account',
  fail_provider_nothing_shared:
    'This account of {provider} has no data, and no account shares data with it. Accept the invitation in the app of {provider} first, and then sign in here again.',
  fail_provider_blocked_title: '{provider} does not accept sign-ins now',
  fail_provider_blocked:
    '{provider} refuses sign-ins at present, or has locked the account for a while. Try again later.',
  fail_provider_api_error_title: '{provider} cannot be reached',
  fail_provider_api_error:
    'It does not respond correctly at the moment. Try again in a few minutes.',
  fail_unsupported_region_title: 'Not available in your region',
  fail_unsupported_region:
    'Accounts of {provider} from your country or region cannot be connected here. If yours is registered in another one, try again with that one.',
  fail_duplicate_connection_title: 'This account is already connected',
  fail_duplicate_connection:
    'Your {provider} account is connected to another person at {team}. Use another account, or ask {team} for help.',
  fail_required_scopes_not_granted_title: 'A permission is missing',
  fail_required_scopes_not_granted:
    '{team} needs all the data that it requests. Try again, and leave every box on the page of {provider} checked.',
  fail_incorrect_mfa_code_title: 'The code was incorrect',
  fail_incorrect_mfa_code: 'Sign in again to get a new code.',
  fail_user_cancelled_title: 'Nothing was connected',
  fail_user_cancelled: 'You cancelled the sign-in. No data is shared; you can start again.',
  fail_provider_not_configured_title: '{provider} cannot be connected here',
  fail_provider_not_configured:
    'It is not set up at {team} yet. Choose another provider, or ask {team}.',
  fail_offline_title: 'No connection',
  fail_offline:
    'The server cannot be reached. Check your connection to the internet, then try again.',
  fail_unavailable_title: 'Something went wrong',
  fail_unavailable: 'The error is on our side, not yours. Try again in a moment.',
} as const

export type MessageKey = keyof typeof en
export type Messages = Record<MessageKey, string>
