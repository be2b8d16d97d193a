package io.locket.examples.howto.security;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

@Configuration(proxyBeanMethods = false)
class OperatorSecurity {

	@Bean
	@Order(1)
	SecurityFilterChain operators(HttpSecurity http) throws Exception {
		RequestMatcher dashboard = PathPatternRequestMatcher.withDefaults().matcher("/locket/**");
		RequestMatcher reads = EndpointRequest.to("locket").withHttpMethod(HttpMethod.GET);
		return http.securityMatchers((matchers) -> matchers.requestMatchers(EndpointRequest.toAnyEndpoint(), dashboard))
			.authorizeHttpRequests((requests) -> requests.requestMatchers(EndpointRequest.to("health"))
				.permitAll()
				.requestMatchers(dashboard, reads)
				.hasAnyRole("VIEWER", "OPERATOR")
				.anyRequest()
				.hasRole("OPERATOR"))
			.httpBasic(Customizer.withDefaults())
			.csrf((csrf) -> csrf.ignoringRequestMatchers(EndpointRequest.to("locket")))
			.build();
	}

	@Bean
	@Order(2)
	SecurityFilterChain application(HttpSecurity http) throws Exception {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
