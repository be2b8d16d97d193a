package io.locket.dashboard;

/**
 * A token that protects writes from requests of other sites.
 *
 * @param header the name of the request header that carries the token
 * @param token the token
 */
public record CsrfField(String header, String token) {

}
