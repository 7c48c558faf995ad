import type { Messages } from './en.ts'

export const es: Messages = {
  page_title: 'Conecte sus datos de salud',
  loading: 'Cargando…',
  close: 'Cerrar',
  back: 'Atrás',
  continue: 'Continuar',
  cancel: 'Cancelar',
  try_again: 'Volver a intentarlo',
  choose_another: 'Elegir otro proveedor',
  start_again: 'Empezar de nuevo',
  you_can_close: 'Ya puede cerrar esta página.',
  the_team: 'la aplicación que le ha traído aquí',
  the_provider: 'su proveedor',

  consent_title: 'Comparta sus datos de salud con {team}',
  consent_title_provider: 'Comparta sus datos de {provider} con {team}',
  consent_what: 'Qué se comparte',
  consent_what_text:
    'Los datos de salud de la cuenta que conecte, pasados y futuros: por ejemplo actividad, sueño, entrenamientos, medidas corporales o valores de glucosa.',
  consent_whom: 'Con quién',
  consent_whom_text: 'Con {team} y, a través de esta página, con nadie más.',
  consent_why: 'Para qué',
  consent_why_text:
    'Para los servicios que {team} le ofrece. Su aviso de privacidad explica cómo usa sus datos.',
  consent_end: 'Cómo terminar',
  consent_end_text:
    'Puede dejar de compartir cuando quiera, con {team} o en los ajustes de la cuenta conectada.',
  consent_agree: 'Aceptar y continuar',
  consent_agree_provider: 'Aceptar e ir a {provider}',

  list_title: 'Elija su proveedor',
  list_search: 'Buscar proveedores',
  list_count_one: '1 proveedor',
  list_count_other: '{count} proveedores',
  list_none:
    'No hay ningún proveedor con ese nombre. Revise la ortografía o busque el fabricante de su dispositivo.',
  list_empty: '{team} aún no ofrece ningún proveedor aquí.',
  list_connected: 'Ya conectados',
  list_online: 'Cuentas en línea',
  list_others: 'Más proveedores',
  list_phone: 'En su teléfono',
  state_connected: 'Conectado',
  state_paused: 'En pausa',
  state_error: 'Iniciar sesión de nuevo',
  app_title: '{provider} está en su teléfono',
  app_apple_why:
    'Apple Health guarda sus datos en el iPhone, donde ningún sitio web puede leerlos. La aplicación de {team} puede hacerlo si usted lo permite.',
  app_apple_open:
    'Abra la aplicación de {team} en su iPhone e inicie sesión. Si no la tiene, pídasela a {team}.',
  app_apple_allow:
    'Permita el acceso a Apple Health cuando la aplicación lo solicite y active los datos que desea compartir.',
  app_apple_end:
    'Desde ese momento los datos llegan solos. Para dejar de compartirlos, abra Ajustes en el iPhone, después Salud y después «Acceso a datos y dispositivos».',
  app_android_why:
    'Health Connect guarda sus datos en el teléfono Android, donde ningún sitio web puede leerlos. La aplicación de {team} puede hacerlo si usted lo permite.',
  app_android_open:
    'Abra la aplicación de {team} en su teléfono Android e inicie sesión. Si no la tiene, pídasela a {team}.',
  app_android_allow:
    'Permita el acceso a Health Connect cuando la aplicación lo solicite. En Android 13 y anteriores, instale primero Health Connect desde Google Play.',
  app_android_end:
    'Desde ese momento los datos llegan solos. Para dejar de compartirlos, abra los ajustes del teléfono, busque Health Connect y abra los permisos de aplicaciones.',

  password_title: 'Inicie sesión en {provider}',
  password_intro:
    'Use el nombre de usuario y la contraseña de su cuenta de {provider}. Solo sirven para obtener sus datos de {provider} y se guardan cifrados.',
  password_intro_session:
    'Al iniciar sesión aquí se cierra la sesión de la aplicación de {provider} en su teléfono, y la báscula no sube nada hasta que vuelva a iniciarla allí. Su contraseña solo sirve para este inicio de sesión y no se guarda.',
  password_intro_diary:
    'Escriba el nombre de usuario de su perfil de {provider} y, como contraseña, la clave de su diario: se define en Settings, Diary Settings, Diary Sharing. No es la contraseña de su cuenta. Solo sirven para obtener su diario y se guardan cifrados.',
  field_username: 'Nombre de usuario o correo',
  field_password: 'Contraseña',
  field_region: 'País o región de su cuenta',
  field_region_choose: 'Elija una opción',
  show_password: 'Mostrar la contraseña',
  password_submit: 'Conectar',
  required_username: 'Escriba su nombre de usuario o correo.',
  required_password: 'Escriba su contraseña.',
  required_region: 'Elija dónde está registrada su cuenta.',
  wrong_credential:
    '{provider} no acepta este nombre de usuario y contraseña. Revise ambos y vuelva a intentarlo.',

  email_title: 'Conecte {provider}',
  email_intro:
    'Escriba el correo de su cuenta de {provider}. {provider} le pedirá allí que acepte la invitación.',
  field_email: 'Correo electrónico',
  required_email: 'Escriba un correo como nombre@example.com.',
  wrong_email: '{provider} no conoce este correo. Revíselo y vuelva a intentarlo.',
  wrong_region: '{provider} no está disponible aquí para ese país o región. Elija otro.',

  region_title: 'Elija la región de su cuenta de {provider}',
  region_intro:
    '{provider} tiene una página de inicio de sesión propia en cada región. Su cuenta solo funciona en la región donde la creó.',
  region_others: 'Todos los demás países',
  region_submit: 'Continuar a {provider}',

  code_title: 'Escriba su código',
  code_sent_sms: '{provider} le ha enviado un código por SMS a {hint}.',
  code_sent_email: '{provider} le ha enviado un código por correo a {hint}.',
  code_totp:
    'Abra su aplicación de autenticación e introduzca el código que muestra para {provider}.',
  code_sent_other: '{provider} le ha enviado un código.',
  field_code: 'Código',
  required_code: 'Escriba el código.',
  wrong_code: 'El código no es correcto. Revíselo y vuelva a intentarlo.',
  code_submit: 'Confirmar',
  code_resend: 'Enviar otro código',
  code_resent: 'Se ha enviado un código nuevo.',

  waiting: 'Contactando con {provider}…',
  waiting_long:
    'Seguimos en ello. {provider} puede tardar hasta un minuto; deje esta página abierta.',
  handover: 'Le llevamos a {provider}…',

  done_title: '{provider} está conectado',
  done_text:
    'Sus datos llegarán a partir de ahora a {team}. Los primeros pueden tardar unos minutos.',
  done_return: 'Volver a {team}',
  connect_another: 'Conectar otra cuenta',
  done_close: 'Cerrar esta ventana',
  another_failed:
    'No ha funcionado porque el enlace ha caducado o no se puede acceder al servidor. Abra un enlace nuevo o inténtelo otra vez.',
  closed_title: 'No se ha conectado nada',
  closed_text: 'Cerró la página antes de conectar una cuenta. No se comparte ningún dato.',

  fail_invalid_token_title: 'Este enlace no funciona',
  fail_invalid_token:
    'Está incompleto o ya no es válido. Vuelva a {team} y abra allí un enlace nuevo.',
  fail_token_expired_title: 'Este enlace ha caducado',
  fail_token_expired: 'Los enlaces valen una hora. Vuelva a {team} y abra allí uno nuevo.',
  fail_token_consumed_title: 'Este enlace ya se ha usado',
  fail_token_consumed:
    'Con él se conectó una cuenta, así que quizá ya haya terminado. Para conectar otra, vuelva a {team} y abra un enlace nuevo.',
  fail_token_not_validated_title: 'Empiece otra vez',
  fail_token_not_validated: 'El inicio de sesión se interrumpió o se empezó en otra ventana.',
  fail_provider_credential_error_title: 'El inicio de sesión en {provider} ha fallado',
  fail_provider_credential_error:
    'El acceso se canceló o se rechazó allí. No se ha conectado nada; puede volver a intentarlo.',
  fail_provider_password_expired_title: 'Su contraseña ha caducado',
  fail_provider_password_expired:
    '{provider} exige antes una contraseña nueva. Cámbiela en la aplicación o en la web de {provider} y vuelva a intentarlo.',
  fail_provider_consent_needed_title: '{provider} necesita su consentimiento',
  fail_provider_consent_needed:
    'Abra la aplicación de {provider}, acepte lo que le muestra y vuelva a iniciar sesión aquí.',
  fail_provider_nothing_shared_title: 'No hay datos de esta cuenta',
  fail_provider_nothing_shared:
    'Esta cuenta de {provider} no tiene datos, y ninguna cuenta comparte datos con ella. Acepte primero la invitación en la aplicación de {provider} y vuelva a iniciar sesión aquí.',
  fail_provider_blocked_title: '{provider} no acepta inicios de sesión ahora',
  fail_provider_blocked:
    '{provider} rechaza los inicios de sesión en este momento o ha bloqueado la cuenta por un tiempo. Inténtelo de nuevo más tarde.',
  fail_provider_api_error_title: 'No se puede contactar con {provider}',
  fail_provider_api_error:
    'En este momento no responde correctamente. Inténtelo de nuevo en unos minutos.',
  fail_unsupported_region_title: 'No disponible en su región',
  fail_unsupported_region:
    'Aquí no se pueden conectar cuentas de {provider} de su país o región. Si la suya está registrada en otro, inténtelo con ese.',
  fail_duplicate_connection_title: 'Esta cuenta ya está conectada',
  fail_duplicate_connection:
    'Su cuenta de {provider} está conectada a otra persona en {team}. Use otra cuenta o pida ayuda a {team}.',
  fail_required_scopes_not_granted_title: 'Falta un permiso',
  fail_required_scopes_not_granted:
    '{team} necesita todos los datos que solicita. Vuelva a intentarlo y deje marcadas todas las casillas en la página de {provider}.',
  fail_incorrect_mfa_code_title: 'El código no era correcto',
  fail_incorrect_mfa_code: 'Inicie sesión otra vez para recibir un código nuevo.',
  fail_user_cancelled_title: 'No se ha conectado nada',
  fail_user_cancelled:
    'Usted canceló el inicio de sesión. No se comparte ningún dato; puede empezar de nuevo.',
  fail_provider_not_configured_title: '{provider} no se puede conectar aquí',
  fail_provider_not_configured:
    '{team} aún no lo ha configurado. Elija otro proveedor o pregunte a {team}.',
  fail_offline_title: 'Sin conexión',
  fail_offline:
    'No se puede contactar con el servidor. Revise su conexión a internet y vuelva a intentarlo.',
  fail_unavailable_title: 'Algo ha fallado',
  fail_unavailable: 'El fallo es nuestro, no suyo. Vuelva a intentarlo en un momento.',
}
