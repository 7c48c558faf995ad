import type { Messages } from './en.ts'

export const fr: Messages = {
  page_title: 'Connectez vos données de santé',
  loading: 'Chargement…',
  close: 'Fermer',
  back: 'Retour',
  continue: 'Continuer',
  cancel: 'Annuler',
  try_again: 'Réessayer',
  choose_another: 'Choisir un autre fournisseur',
  start_again: 'Recommencer',
  you_can_close: 'Vous pouvez fermer cette page.',
  the_team: 'l’application qui vous a conduit ici',
  the_provider: 'votre fournisseur',

  consent_title: 'Partagez vos données de santé avec {team}',
  consent_title_provider: 'Partagez vos données {provider} avec {team}',
  consent_what: 'Ce qui est partagé',
  consent_what_text:
    'Les données de santé du compte que vous connectez, passées et à venir : par exemple activité, sommeil, entraînements, mesures corporelles ou valeurs de glucose.',
  consent_whom: 'Avec qui',
  consent_whom_text: 'Avec {team} et, par cette page, avec personne d’autre.',
  consent_why: 'Dans quel but',
  consent_why_text:
    'Pour les services que {team} vous propose. Sa notice de confidentialité explique comment vos données sont utilisées.',
  consent_end: 'Comment y mettre fin',
  consent_end_text:
    'Vous pouvez cesser le partage à tout moment, auprès de {team} ou dans les réglages du compte connecté.',
  consent_agree: 'Accepter et continuer',
  consent_agree_provider: 'Accepter et aller chez {provider}',

  list_title: 'Choisissez votre fournisseur',
  list_search: 'Rechercher un fournisseur',
  list_count_one: '1 fournisseur',
  list_count_other: '{count} fournisseurs',
  list_none:
    'Aucun fournisseur ne porte ce nom. Vérifiez l’orthographe ou cherchez le fabricant de votre appareil.',
  list_empty: '{team} ne propose encore aucun fournisseur ici.',
  list_connected: 'Déjà connectés',
  list_online: 'Comptes en ligne',
  list_others: 'Autres fournisseurs',
  list_phone: 'Sur votre téléphone',
  state_connected: 'Connecté',
  state_paused: 'En pause',
  state_error: 'Se reconnecter',
  app_title: '{provider} est sur votre téléphone',
  app_apple_why:
    'Apple Health garde vos données sur votre iPhone, où aucun site web ne peut les lire. L’application de {team} le peut, si vous l’autorisez.',
  app_apple_open:
    'Ouvrez l’application de {team} sur votre iPhone et connectez-vous. Si vous ne l’avez pas, demandez-la à {team}.',
  app_apple_allow:
    'Autorisez l’accès à Apple Health lorsque l’application le demande, et activez les données que vous souhaitez partager.',
  app_apple_end:
    'Les données arrivent ensuite d’elles-mêmes. Pour arrêter, ouvrez les Réglages de l’iPhone, puis Santé, puis « Accès aux données et appareils ».',
  app_android_why:
    'Health Connect garde vos données sur votre téléphone Android, où aucun site web ne peut les lire. L’application de {team} le peut, si vous l’autorisez.',
  app_android_open:
    'Ouvrez l’application de {team} sur votre téléphone Android et connectez-vous. Si vous ne l’avez pas, demandez-la à {team}.',
  app_android_allow:
    'Autorisez l’accès à Health Connect lorsque l’application le demande. Jusqu’à Android 13, installez d’abord Health Connect depuis Google Play.',
  app_android_end:
    'Les données arrivent ensuite d’elles-mêmes. Pour arrêter, ouvrez les paramètres du téléphone, cherchez Health Connect, puis ouvrez les autorisations des applications.',

  password_title: 'Connectez-vous à {provider}',
  password_intro:
    'Utilisez l’identifiant et le mot de passe de votre compte {provider}. Ils ne servent qu’à récupérer vos données chez {provider} et sont conservés chiffrés.',
  password_intro_session:
    'Vous connecter ici vous déconnecte de l’application {provider} de votre téléphone : la balance n’envoie plus rien tant que vous ne vous y reconnectez pas. Votre mot de passe ne sert qu’à cette connexion et n’est pas conservé.',
  password_intro_diary:
    'Saisissez l’identifiant de votre profil {provider} et, comme mot de passe, la clé de votre journal : vous la définissez sous Settings, Diary Settings, Diary Sharing. Ce n’est pas le mot de passe de votre compte. Les deux ne servent qu’à récupérer votre journal et sont conservés chiffrés.',
  field_username: 'Identifiant ou e-mail',
  field_password: 'Mot de passe',
  field_region: 'Pays ou région de votre compte',
  field_region_choose: 'Veuillez choisir',
  show_password: 'Afficher le mot de passe',
  password_submit: 'Connecter',
  required_username: 'Saisissez votre identifiant ou votre e-mail.',
  required_password: 'Saisissez votre mot de passe.',
  required_region: 'Choisissez où votre compte est enregistré.',
  wrong_credential:
    '{provider} n’accepte pas cet identifiant et ce mot de passe. Vérifiez-les et réessayez.',

  email_title: 'Connectez {provider}',
  email_intro:
    'Saisissez l’adresse e-mail de votre compte {provider}. {provider} vous y demandera d’accepter l’invitation.',
  field_email: 'Adresse e-mail',
  required_email: 'Saisissez une adresse comme nom@example.com.',
  wrong_email: '{provider} ne connaît pas cette adresse. Vérifiez-la et réessayez.',
  wrong_region:
    '{provider} n’est pas disponible ici pour ce pays ou cette région. Choisissez-en une autre.',

  region_title: 'Choisissez la région de votre compte {provider}',
  region_intro:
    '{provider} a une page de connexion propre à chaque région. Votre compte ne fonctionne que dans la région où vous l’avez créé.',
  region_others: 'Tous les autres pays',
  region_submit: 'Continuer vers {provider}',

  code_title: 'Saisissez votre code',
  code_sent_sms: '{provider} vous a envoyé un code par SMS au {hint}.',
  code_sent_email: '{provider} vous a envoyé un code par e-mail à {hint}.',
  code_totp:
    'Ouvrez votre application d’authentification et saisissez le code qu’elle affiche pour {provider}.',
  code_sent_other: '{provider} vous a envoyé un code.',
  field_code: 'Code',
  required_code: 'Saisissez le code.',
  wrong_code: 'Le code est incorrect. Vérifiez-le et réessayez.',
  code_submit: 'Confirmer',
  code_resend: 'Envoyer un nouveau code',
  code_resent: 'Un nouveau code a été envoyé.',

  waiting: 'Connexion à {provider}…',
  waiting_long:
    'C’est en cours. {provider} peut prendre jusqu’à une minute ; laissez cette page ouverte.',
  handover: 'Redirection vers {provider}…',

  done_title: '{provider} est connecté',
  done_text:
    'Vos données seront désormais transmises à {team}. Les premières peuvent mettre quelques minutes à arriver.',
  done_return: 'Retourner à {team}',
  connect_another: 'Connecter un autre compte',
  done_close: 'Fermer cette fenêtre',
  another_failed:
    'Cela n’a pas fonctionné, car le lien a expiré ou le serveur est injoignable. Ouvrez un nouveau lien ou réessayez.',
  closed_title: 'Rien n’a été connecté',
  closed_text:
    'Vous avez fermé la page avant qu’un compte soit connecté. Aucune donnée n’est partagée.',

  fail_invalid_token_title: 'Ce lien ne fonctionne pas',
  fail_invalid_token:
    'Il est incomplet ou n’est plus valide. Retournez sur {team} et ouvrez-y un nouveau lien.',
  fail_token_expired_title: 'Ce lien a expiré',
  fail_token_expired:
    'Un lien est valable une heure. Retournez sur {team} et ouvrez-en un nouveau.',
  fail_token_consumed_title: 'Ce lien a déjà été utilisé',
  fail_token_consumed:
    'Un compte a été connecté avec lui : vous avez peut-être déjà terminé. Pour en connecter un autre, retournez sur {team} et ouvrez un nouveau lien.',
  fail_token_not_validated_title: 'Veuillez recommencer',
  fail_token_not_validated: 'La connexion a été interrompue ou commencée dans une autre fenêtre.',
  fail_provider_credential_error_title: 'La connexion à {provider} a échoué',
  fail_provider_credential_error:
    'La connexion y a été annulée ou refusée. Rien n’a été connecté ; vous pouvez réessayer.',
  fail_provider_password_expired_title: 'Votre mot de passe a expiré',
  fail_provider_password_expired:
    '{provider} exige d’abord un nouveau mot de passe. Changez-le dans l’application ou sur le site de {provider}, puis réessayez.',
  fail_provider_consent_needed_title: '{provider} a besoin de votre accord',
  fail_provider_consent_needed:
    'Ouvrez l’application de {provider}, acceptez ce qu’elle vous présente, puis reconnectez-vous ici.',
  fail_provider_nothing_shared_title: 'Il n’y a pas de données pour ce compte',
  fail_provider_nothing_shared:
    'Ce compte {provider} n’a pas de données, et aucun compte n’en partage avec lui. Acceptez d’abord l’invitation dans l’application de {provider}, puis reconnectez-vous ici.',
  fail_provider_blocked_title: '{provider} n’accepte pas de connexions en ce moment',
  fail_provider_blocked:
    '{provider} refuse les connexions en ce moment, ou a verrouillé le compte pour un temps. Réessayez plus tard.',
  fail_provider_api_error_title: '{provider} est injoignable',
  fail_provider_api_error:
    'Il ne répond pas correctement en ce moment. Réessayez dans quelques minutes.',
  fail_unsupported_region_title: 'Indisponible dans votre région',
  fail_unsupported_region:
    'Les comptes {provider} de votre pays ou région ne peuvent pas être connectés ici. Si le vôtre est enregistré ailleurs, réessayez avec cette région.',
  fail_duplicate_connection_title: 'Ce compte est déjà connecté',
  fail_duplicate_connection:
    'Votre compte {provider} est connecté à une autre personne chez {team}. Utilisez un autre compte ou demandez de l’aide à {team}.',
  fail_required_scopes_not_granted_title: 'Il manque une autorisation',
  fail_required_scopes_not_granted:
    '{team} a besoin de toutes les données demandées. Réessayez et laissez toutes les cases cochées sur la page de {provider}.',
  fail_incorrect_mfa_code_title: 'Le code était incorrect',
  fail_incorrect_mfa_code: 'Connectez-vous à nouveau pour recevoir un autre code.',
  fail_user_cancelled_title: 'Rien n’a été connecté',
  fail_user_cancelled:
    'Vous avez annulé la connexion. Aucune donnée n’est partagée ; vous pouvez recommencer.',
  fail_provider_not_configured_title: '{provider} ne peut pas être connecté ici',
  fail_provider_not_configured:
    '{team} ne l’a pas encore configuré. Choisissez un autre fournisseur ou posez la question à {team}.',
  fail_offline_title: 'Pas de connexion',
  fail_offline: 'Le serveur est injoignable. Vérifiez votre connexion à internet, puis réessayez.',
  fail_unavailable_title: 'Une erreur est survenue',
  fail_unavailable: 'L’erreur vient de notre côté, pas du vôtre. Réessayez dans un instant.',
}
