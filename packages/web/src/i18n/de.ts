import type { Messages } from './en.ts'

export const de: Messages = {
  page_title: 'Gesundheitsdaten verbinden',
  loading: 'Wird geladen …',
  close: 'Schließen',
  back: 'Zurück',
  continue: 'Weiter',
  cancel: 'Abbrechen',
  try_again: 'Noch einmal versuchen',
  choose_another: 'Anderen Anbieter wählen',
  start_again: 'Neu beginnen',
  you_can_close: 'Sie können diese Seite jetzt schließen.',
  the_team: 'der App, die Sie hierher geführt hat',
  the_provider: 'Anbieter',

  consent_title: 'Gesundheitsdaten mit {team} teilen',
  consent_title_provider: 'Daten von {provider} mit {team} teilen',
  consent_what: 'Was geteilt wird',
  consent_what_text:
    'Gesundheitsdaten des Kontos, das Sie verbinden, bisherige und künftige: zum Beispiel Aktivität, Schlaf, Training, Körpermaße oder Glukosewerte.',
  consent_whom: 'Mit wem',
  consent_whom_text: 'Mit {team} und über diese Seite mit niemandem sonst.',
  consent_why: 'Wofür',
  consent_why_text:
    'Für die Dienste, die {team} Ihnen anbietet. Die zugehörige Datenschutzerklärung beschreibt, was dort mit Ihren Daten geschieht.',
  consent_end: 'Wie Sie es beenden',
  consent_end_text:
    'Sie können die Freigabe jederzeit beenden, bei {team} oder in den Einstellungen des verbundenen Kontos.',
  consent_agree: 'Zustimmen und weiter',
  consent_agree_provider: 'Zustimmen und weiter zu {provider}',

  list_title: 'Wählen Sie Ihren Anbieter',
  list_search: 'Anbieter suchen',
  list_count_one: '1 Anbieter',
  list_count_other: '{count} Anbieter',
  list_none:
    'Es gibt keinen Anbieter mit diesem Namen. Prüfen Sie die Schreibweise oder suchen Sie nach dem Hersteller Ihres Geräts.',
  list_empty: '{team} bietet hier noch keinen Anbieter an.',
  list_connected: 'Schon verbunden',
  list_online: 'Online-Konten',
  list_others: 'Weitere Anbieter',
  list_phone: 'Auf Ihrem Telefon',
  state_connected: 'Verbunden',
  state_paused: 'Angehalten',
  state_error: 'Neu anmelden',
  app_title: '{provider} ist auf Ihrem Telefon',
  app_apple_why:
    'Apple Health bewahrt Ihre Daten auf dem iPhone auf, wo keine Website sie lesen kann. Die App von {team} kann es, wenn Sie es erlauben.',
  app_apple_open:
    'Öffnen Sie die App von {team} auf Ihrem iPhone und melden Sie sich an. Wenn Sie sie nicht haben, fragen Sie {team} danach.',
  app_apple_allow:
    'Erlauben Sie den Zugriff auf Apple Health, wenn die App ihn anfragt, und schalten Sie die Daten ein, die Sie teilen möchten.',
  app_apple_end:
    'Die Daten kommen nun von selbst an. Zum Beenden öffnen Sie die Einstellungen des iPhones, dann „Health“ und „Datenzugriff & Geräte“.',
  app_android_why:
    'Health Connect bewahrt Ihre Daten auf dem Android-Telefon auf, wo keine Website sie lesen kann. Die App von {team} kann es, wenn Sie es erlauben.',
  app_android_open:
    'Öffnen Sie die App von {team} auf Ihrem Android-Telefon und melden Sie sich an. Wenn Sie sie nicht haben, fragen Sie {team} danach.',
  app_android_allow:
    'Erlauben Sie den Zugriff auf Health Connect, wenn die App ihn anfragt. Bis Android 13 installieren Sie Health Connect zuerst von Google Play.',
  app_android_end:
    'Die Daten kommen nun von selbst an. Zum Beenden öffnen Sie die Einstellungen des Telefons, suchen Health Connect und öffnen „App-Berechtigungen“.',

  password_title: 'Bei {provider} anmelden',
  password_intro:
    'Geben Sie Benutzernamen und Passwort Ihres Kontos bei {provider} ein. Beides dient nur dazu, Ihre Daten bei {provider} abzurufen, und wird verschlüsselt gespeichert.',
  password_intro_session:
    'Die Anmeldung hier meldet Sie in der App von {provider} auf Ihrem Telefon ab: Die Waage lädt dann nichts mehr hoch, bis Sie sich dort wieder anmelden. Ihr Passwort dient nur dieser Anmeldung und wird nicht gespeichert.',
  password_intro_diary:
    'Geben Sie den Benutzernamen Ihres Profils bei {provider} ein und als Passwort den Schlüssel Ihres Tagebuchs: Sie legen ihn unter Settings, Diary Settings, Diary Sharing fest. Er ist nicht das Passwort Ihres Kontos. Beides dient nur dazu, Ihr Tagebuch abzurufen, und wird verschlüsselt gespeichert.',
  field_username: 'Benutzername oder E-Mail',
  field_password: 'Passwort',
  field_region: 'Land oder Region Ihres Kontos',
  field_region_choose: 'Bitte wählen',
  show_password: 'Passwort anzeigen',
  password_submit: 'Verbinden',
  required_username: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  required_password: 'Geben Sie Ihr Passwort ein.',
  required_region: 'Wählen Sie, wo Ihr Konto registriert ist.',
  wrong_credential:
    '{provider} akzeptiert Benutzernamen und Passwort nicht. Prüfen Sie beides und versuchen Sie es noch einmal.',

  email_title: '{provider} verbinden',
  email_intro:
    'Geben Sie die E-Mail-Adresse Ihres Kontos bei {provider} ein. {provider} bittet Sie dort, die Einladung anzunehmen.',
  field_email: 'E-Mail-Adresse',
  required_email: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  wrong_email:
    '{provider} kennt diese E-Mail-Adresse nicht. Prüfen Sie sie und versuchen Sie es noch einmal.',
  wrong_region:
    '{provider} ist in diesem Land oder dieser Region hier nicht verfügbar. Wählen Sie eine andere.',

  region_title: 'Wählen Sie die Region Ihres Kontos bei {provider}',
  region_intro:
    '{provider} hat in jeder Region eine eigene Anmeldeseite. Ihr Konto gilt nur in der Region, in der Sie es angelegt haben.',
  region_others: 'Alle anderen Länder',
  region_submit: 'Weiter zu {provider}',

  code_title: 'Geben Sie Ihren Code ein',
  code_sent_sms: '{provider} hat Ihnen einen Code per SMS an {hint} geschickt.',
  code_sent_email: '{provider} hat Ihnen einen Code per E-Mail an {hint} geschickt.',
  code_totp:
    'Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie für {provider} zeigt.',
  code_sent_other: '{provider} hat Ihnen einen Code geschickt.',
  field_code: 'Code',
  required_code: 'Geben Sie den Code ein.',
  wrong_code: 'Der Code ist nicht richtig. Prüfen Sie ihn und versuchen Sie es noch einmal.',
  code_submit: 'Bestätigen',
  code_resend: 'Neuen Code schicken',
  code_resent: 'Ein neuer Code wurde gesendet.',

  waiting: 'Verbindung zu {provider} …',
  waiting_long:
    'Es dauert noch. {provider} braucht manchmal bis zu einer Minute; bitte lassen Sie die Seite offen.',
  handover: 'Weiter zu {provider} …',

  done_title: '{provider} ist verbunden',
  done_text:
    'Ihre Daten werden von nun an an {team} übertragen. Bis die ersten ankommen, kann es einige Minuten dauern.',
  done_return: 'Zurück zu {team}',
  connect_another: 'Weiteres Konto verbinden',
  done_close: 'Dieses Fenster schließen',
  another_failed:
    'Das hat nicht geklappt, weil der Link abgelaufen oder der Server nicht erreichbar ist. Öffnen Sie einen neuen Link oder versuchen Sie es noch einmal.',
  closed_title: 'Es wurde nichts verbunden',
  closed_text:
    'Sie haben die Seite geschlossen, bevor ein Konto verbunden war. Es werden keine Daten geteilt.',

  fail_invalid_token_title: 'Dieser Link funktioniert nicht',
  fail_invalid_token:
    'Er ist unvollständig oder nicht mehr gültig. Gehen Sie zurück zu {team} und öffnen Sie dort einen neuen Link.',
  fail_token_expired_title: 'Dieser Link ist abgelaufen',
  fail_token_expired:
    'Links gelten eine Stunde. Gehen Sie zurück zu {team} und öffnen Sie dort einen neuen.',
  fail_token_consumed_title: 'Dieser Link wurde schon verwendet',
  fail_token_consumed:
    'Mit ihm wurde bereits ein Konto verbunden; vielleicht sind Sie also schon fertig. Um ein weiteres zu verbinden, gehen Sie zurück zu {team} und öffnen Sie einen neuen Link.',
  fail_token_not_validated_title: 'Bitte beginnen Sie noch einmal',
  fail_token_not_validated:
    'Die Anmeldung wurde unterbrochen oder in einem anderen Fenster begonnen.',
  fail_provider_credential_error_title: 'Die Anmeldung bei {provider} ist fehlgeschlagen',
  fail_provider_credential_error:
    'Sie wurde dort abgebrochen oder abgelehnt. Es wurde nichts verbunden; Sie können es noch einmal versuchen.',
  fail_provider_password_expired_title: 'Ihr Passwort ist abgelaufen',
  fail_provider_password_expired:
    '{provider} verlangt zuerst ein neues Passwort. Ändern Sie es in der App oder auf der Website von {provider} und versuchen Sie es dann hier noch einmal.',
  fail_provider_consent_needed_title: '{provider} braucht Ihre Zustimmung',
  fail_provider_consent_needed:
    'Öffnen Sie die App von {provider}, stimmen Sie dem zu, was sie zeigt, und melden Sie sich dann hier noch einmal an.',
  fail_provider_nothing_shared_title: 'Für dieses Konto gibt es keine Daten',
  fail_provider_nothing_shared:
    'Dieses Konto bei {provider} hat keine Daten, und kein Konto teilt Daten mit ihm. Nehmen Sie zuerst die Einladung in der App von {provider} an, und melden Sie sich dann hier noch einmal an.',
  fail_provider_blocked_title: '{provider} nimmt gerade keine Anmeldungen an',
  fail_provider_blocked:
    '{provider} lehnt Anmeldungen zurzeit ab oder hat das Konto für eine Weile gesperrt. Versuchen Sie es später noch einmal.',
  fail_provider_api_error_title: '{provider} ist nicht erreichbar',
  fail_provider_api_error:
    'Von dort kommt derzeit keine gültige Antwort. Versuchen Sie es in einigen Minuten noch einmal.',
  fail_unsupported_region_title: 'In Ihrer Region nicht verfügbar',
  fail_unsupported_region:
    'Konten von {provider} aus Ihrem Land oder Ihrer Region können hier nicht verbunden werden. Ist Ihres anderswo registriert, versuchen Sie es damit noch einmal.',
  fail_duplicate_connection_title: 'Dieses Konto ist schon verbunden',
  fail_duplicate_connection:
    'Ihr Konto bei {provider} ist mit einer anderen Person bei {team} verbunden. Verwenden Sie ein anderes Konto oder wenden Sie sich an {team}.',
  fail_required_scopes_not_granted_title: 'Eine Berechtigung fehlt',
  fail_required_scopes_not_granted:
    '{team} benötigt alle angefragten Daten. Versuchen Sie es noch einmal und lassen Sie auf der Seite von {provider} jedes Kästchen angekreuzt.',
  fail_incorrect_mfa_code_title: 'Der Code war nicht richtig',
  fail_incorrect_mfa_code: 'Melden Sie sich noch einmal an, um einen neuen Code zu bekommen.',
  fail_user_cancelled_title: 'Es wurde nichts verbunden',
  fail_user_cancelled:
    'Sie haben die Anmeldung abgebrochen. Es werden keine Daten geteilt; Sie können neu beginnen.',
  fail_provider_not_configured_title: '{provider} kann hier nicht verbunden werden',
  fail_provider_not_configured:
    '{team} hat diesen Anbieter noch nicht eingerichtet. Wählen Sie einen anderen oder fragen Sie dort nach.',
  fail_offline_title: 'Keine Verbindung',
  fail_offline:
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es noch einmal.',
  fail_unavailable_title: 'Das hat nicht geklappt',
  fail_unavailable:
    'Der Fehler liegt bei uns, nicht bei Ihnen. Versuchen Sie es gleich noch einmal.',
}
